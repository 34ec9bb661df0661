// What the stages of the PCIe path (endpoint, switch, root complex) have in common: each is a target for the stage
// before it, an initiator towards host memory, and passes a transaction on within the call, its burst's interval moved
// to where and when it leaves. No events: link and fabric time is reserved, and the answer is TLM_COMPLETED with the
// delay annotated.
//
//   write: upstream() carries the data to the next stage. Posted: complete when host memory has it.
//   read:  request() carries the read request to the next stage, downstream() its answer back.
//
// A payload from outside, without a Burst, is given one for its way through.
#pragma once

#include <systemc>
#include <tlm>

#include "models/kernel/burst.h"
#include "models/kernel/probe.h"
#include "models/kernel/units.h"

namespace podsim::pcie {

struct PcieStatistics {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  Bytes bytes_read = 0;
  Bytes bytes_written = 0;
  std::uint64_t refused = 0;        // answered with an error from further up
  Picoseconds upstream_busy = 0;    // towards host memory: write data, read requests
  Picoseconds downstream_busy = 0;  // from it: read data
};

// Told to observers once per transaction and stage.
struct PcieTransfer {
  Address address = 0;
  Bytes bytes = 0;
  bool write = false;
  std::uint64_t transfer = 0;  // Burst::transfer; 0 for a payload from outside
  Picoseconds requested = 0;
  Picoseconds first_byte = 0;  // the data leaves this stage from here
  Picoseconds last_byte = 0;   // to here
  Picoseconds complete = 0;
};

class PcieStage : public sc_core::sc_module,
                  protected tlm::tlm_fw_transport_if<>,
                  protected tlm::tlm_bw_transport_if<> {
 public:
  kernel::Probe<PcieTransfer> transfers;

  [[nodiscard]] const PcieStatistics& statistics() const { return statistics_; }
  void reset_statistics() { statistics_ = {}; }

 protected:
  struct Stream {
    Picoseconds first_byte = 0;
    Picoseconds last_byte = 0;
  };
  // A transaction's data, and how it lies in host memory: a row is transferred for itself.
  struct Shape {
    Bytes bytes = 0;
    kernel::Rows rows;
  };
  struct ReadRequest {
    Picoseconds arrival = 0;  // at the next stage
    // The endpoint's own: when its tags let it ask.
    Picoseconds first = 0;
    Picoseconds last = 0;
    std::uint64_t rounds = 0;
    std::uint64_t last_portion = 0;
  };

  // `towards_memory`: the derived class's socket.
  PcieStage(sc_core::sc_module_name name, tlm::tlm_initiator_socket<64>& towards_memory);
  ~PcieStage() override;

  void answer_at(tlm::tlm_target_socket<64>& socket) { socket.bind(*this); }
  void initiate_at(tlm::tlm_initiator_socket<64>& socket) { socket.bind(*this); }

  // `arriving` is when the data reaches this stage; returns when it reaches the next.
  virtual Stream upstream(Stream arriving, const Shape& shape) = 0;
  virtual ReadRequest request(Picoseconds time, const Shape& shape) = 0;
  virtual Stream downstream(Stream arriving, const Shape& shape, const ReadRequest& request) = 0;

  PcieStatistics statistics_;

 private:
  enum class Call { kNonBlocking, kBlocking };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, Call call);
  void pass_write(tlm::tlm_generic_payload& payload, kernel::Burst& burst, sc_core::sc_time& delay, Call call);
  void pass_read(tlm::tlm_generic_payload& payload, kernel::Burst& burst, sc_core::sc_time& delay, Call call);
  // Calls the next stage with the request arriving there at `time`; `delay` becomes its answer.
  void call_next(tlm::tlm_generic_payload& payload, Picoseconds time, sc_core::sc_time& delay, Call call);

  tlm::tlm_initiator_socket<64>& towards_memory_;
};

}  // namespace podsim::pcie
