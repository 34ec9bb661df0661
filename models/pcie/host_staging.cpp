#include "models/pcie/host_staging.h"

#include <algorithm>

#include "models/kernel/address_map.h"

namespace podsim::pcie {

namespace {

Picoseconds now() { return static_cast<Picoseconds>(sc_core::sc_time_stamp().value()); }

Picoseconds from(const sc_core::sc_time& delay) { return now() + static_cast<Picoseconds>(delay.value()); }

sc_core::sc_time until(Picoseconds time) {
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(std::max<Picoseconds>(time - now(), 0)));
}

}  // namespace

HostStaging::HostStaging(sc_core::sc_module_name name, const HostStagingConfig& config)
    : sc_module(name), copy_latency_(config.copy_latency.ps), cpu_(config.copy_bandwidth) {
  bus.bind(*this);
  memory.bind(*this);
}

HostStaging::~HostStaging() = default;

tlm::tlm_sync_enum HostStaging::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  if (region_of(payload.get_address()) != Region::kPageable) return memory->nb_transport_fw(payload, phase, delay);
  b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}

void HostStaging::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (region_of(payload.get_address()) != Region::kPageable) {
    memory->b_transport(payload, delay);
  } else if (payload.is_write()) {
    write_by_way_of_staging(payload, delay);
  } else if (payload.is_read()) {
    read_by_way_of_staging(payload, delay);
  } else {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
}

unsigned HostStaging::transport_dbg(tlm::tlm_generic_payload& payload) { return memory->transport_dbg(payload); }

void HostStaging::write_by_way_of_staging(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const kernel::Burst* const burst = kernel::burst_of(payload);
  const Bytes bytes = payload.get_data_length();
  Stream arriving{from(delay), from(delay), 0};
  if (burst != nullptr) arriving = {burst->first_byte, burst->last_byte, 0};
  const Stream landed = access_staging(tlm::TLM_WRITE_COMMAND, bytes, arriving.first_byte, arriving);
  const Stream copied = copy(landed.complete, bytes);
  access_staging(tlm::TLM_READ_COMMAND, bytes, copied.first_byte, copied);
  const Stream stored = access(payload, tlm::TLM_WRITE_COMMAND, copied.first_byte, copied);
  delay = until(stored.complete);
}

void HostStaging::read_by_way_of_staging(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Bytes bytes = payload.get_data_length();
  const Stream copied = copy(from(delay), bytes);
  const Stream read = access(payload, tlm::TLM_READ_COMMAND, copied.first_byte, copied);
  const Picoseconds there = std::max(copied.last_byte, read.last_byte);
  const Stream staged = access_staging(tlm::TLM_WRITE_COMMAND, bytes, copied.first_byte, {copied.first_byte, there, 0});
  const Stream leaving = access_staging(tlm::TLM_READ_COMMAND, bytes, staged.complete, {});
  if (kernel::Burst* const burst = kernel::burst_of(payload)) {
    burst->first_byte = leaving.first_byte;
    burst->last_byte = leaving.last_byte;
  }
  delay = until(leaving.complete);
}

HostStaging::Stream HostStaging::copy(Picoseconds earliest, Bytes bytes) {
  const podsim::memory::Reservation cpu = cpu_.reserve(earliest + copy_latency_, bytes);
  statistics_.bytes_copied += bytes;
  statistics_.cpu_busy += cpu.occupancy;
  return {cpu.start, cpu.finish, cpu.finish};
}

HostStaging::Stream HostStaging::access(tlm::tlm_generic_payload& payload, tlm::tlm_command command, Picoseconds time,
                                        Stream data) {
  kernel::Burst lent;
  kernel::Burst* burst = kernel::burst_of(payload);
  const bool lend = burst == nullptr;
  if (lend) payload.set_extension(burst = &lent);
  const kernel::Burst before = *burst;
  burst->first_byte = data.first_byte;
  burst->last_byte = data.last_byte;
  burst->pace = command == tlm::TLM_READ_COMMAND ? data.last_byte - data.first_byte : 0;
  sc_core::sc_time delay = until(time);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  if (memory->nb_transport_fw(payload, phase, delay) != tlm::TLM_COMPLETED) {
    SC_REPORT_ERROR(name(), "host memory must complete nb_transport_fw(BEGIN_REQ) at once");
  }
  const Stream seen{burst->first_byte, burst->last_byte, from(delay)};
  // The initiator's interval is the initiator's.
  burst->first_byte = before.first_byte;
  burst->last_byte = before.last_byte;
  burst->pace = before.pace;
  if (lend) payload.clear_extension(&lent);
  return seen;
}

HostStaging::Stream HostStaging::access_staging(tlm::tlm_command command, Bytes bytes, Picoseconds time, Stream data) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(make_address(ChipId{0}, Region::kHost, 0));
  payload.set_data_length(static_cast<unsigned>(bytes));
  payload.set_streaming_width(static_cast<unsigned>(bytes));
  return access(payload, command, time, data);
}

}  // namespace podsim::pcie
