#include "models/pcie/pcie_stage.h"

#include <algorithm>

#include "models/kernel/local_time.h"

namespace podsim::pcie {

namespace {

Picoseconds now() { return kernel::local_time(); }

Picoseconds from(const sc_core::sc_time& delay) { return now() + static_cast<Picoseconds>(delay.value()); }

sc_core::sc_time until(Picoseconds time) {
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(std::max<Picoseconds>(time - now(), 0)));
}

}  // namespace

PcieStage::PcieStage(sc_core::sc_module_name name, tlm::tlm_initiator_socket<64>& towards_memory)
    : sc_module(name), towards_memory_(towards_memory) {}

PcieStage::~PcieStage() = default;

tlm::tlm_sync_enum PcieStage::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
  // Everything is settled in the answer to BEGIN_REQ, so a well-behaved initiator sends no other phase.
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  pass(payload, delay, Call::kNonBlocking);
  return tlm::TLM_COMPLETED;
}

void PcieStage::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  pass(payload, delay, Call::kBlocking);
}

unsigned PcieStage::transport_dbg(tlm::tlm_generic_payload& payload) { return towards_memory_->transport_dbg(payload); }

tlm::tlm_sync_enum PcieStage::nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  return tlm::TLM_ACCEPTED;  // nothing to answer: call_next() insists on early completion
}

void PcieStage::pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, Call call) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  const auto pass_on = [&](kernel::Burst& burst) {
    payload.is_write() ? pass_write(payload, burst, delay, call) : pass_read(payload, burst, delay, call);
  };
  if (kernel::Burst* burst = kernel::burst_of(payload)) {
    pass_on(*burst);
    return;
  }
  kernel::Burst lent;
  lent.first_byte = lent.last_byte = from(delay);
  payload.set_extension(&lent);
  pass_on(lent);
  payload.clear_extension(&lent);
}

void PcieStage::pass_write(tlm::tlm_generic_payload& payload, kernel::Burst& burst, sc_core::sc_time& delay,
                           Call call) {
  const Bytes bytes = payload.get_data_length();
  const Stream arriving{burst.first_byte, burst.last_byte};
  const Stream leaving = upstream(arriving, {bytes, burst.rows});
  burst.first_byte = leaving.first_byte;
  burst.last_byte = leaving.last_byte;
  call_next(payload, leaving.first_byte, delay, call);
  // The initiator's interval is the initiator's: it finds its burst as it left it.
  burst.first_byte = arriving.first_byte;
  burst.last_byte = arriving.last_byte;
  if (payload.is_response_error()) {
    ++statistics_.refused;
    return;
  }
  ++statistics_.writes;
  statistics_.bytes_written += bytes;
  transfers.tell([&] {
    return PcieTransfer{
        payload.get_address(), bytes,      true, burst.transfer, arriving.first_byte, leaving.first_byte,
        leaving.last_byte,     from(delay)};
  });
}

void PcieStage::pass_read(tlm::tlm_generic_payload& payload, kernel::Burst& burst, sc_core::sc_time& delay, Call call) {
  const Bytes bytes = payload.get_data_length();
  const Picoseconds requested = from(delay);
  const ReadRequest asked = request(requested, {bytes, burst.rows});
  burst.first_byte = burst.last_byte = asked.arrival;  // what a memory that knows no bursts would leave there
  call_next(payload, asked.arrival, delay, call);
  if (payload.is_response_error()) {
    ++statistics_.refused;
    return;
  }
  // A memory that knows no bursts answers with a point, at its delay.
  if (burst.last_byte == asked.arrival) burst.first_byte = burst.last_byte = from(delay);
  const Stream leaving = downstream({burst.first_byte, burst.last_byte}, {bytes, burst.rows}, asked);
  burst.first_byte = leaving.first_byte;
  burst.last_byte = leaving.last_byte;
  delay = until(leaving.last_byte);
  ++statistics_.reads;
  statistics_.bytes_read += bytes;
  transfers.tell([&] {
    return PcieTransfer{
        payload.get_address(), bytes, false, burst.transfer, requested, leaving.first_byte, leaving.last_byte,
        leaving.last_byte};
  });
}

void PcieStage::call_next(tlm::tlm_generic_payload& payload, Picoseconds time, sc_core::sc_time& delay, Call call) {
  delay = until(time);
  if (call == Call::kBlocking) {
    towards_memory_->b_transport(payload, delay);
    return;
  }
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  if (towards_memory_->nb_transport_fw(payload, phase, delay) != tlm::TLM_COMPLETED) {
    SC_REPORT_ERROR(name(), "the target behind this stage must complete nb_transport_fw(BEGIN_REQ) at once");
  }
}

}  // namespace podsim::pcie
