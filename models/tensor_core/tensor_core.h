// A TensorCore: a vector unit and matrix units that work on the chip's HBM and VMEM, side by side, each with a queue of
// commands (command_lane.h).
//
// `registers` takes commands (tensor_core_registers.h), each a single write of eight 64-bit words. A command for which
// its unit's queue has room is answered at once with TLM_COMPLETED and counts from the annotated delay on. Otherwise
// the write stalls: TLM_ACCEPTED, and BEGIN_RESP when there is room; a thread may use b_transport instead. Commands of
// a unit run in order; those of the two units are in no order that semaphores have not made.
//
// `memory` reads operands, writes results and, when the last write is visible, adds to the command's semaphore.
//
// A bad command gets a TLM error response. A command that memory refuses is broken off and its semaphore not told. Both
// count as errors.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/kernel/event_queue.h"
#include "models/kernel/payload_pool.h"
#include "models/kernel/probe.h"
#include "models/tensor_core/command_lane.h"
#include "models/tensor_core/matrix_unit.h"
#include "models/tensor_core/memory_port.h"
#include "models/tensor_core/tensor_core_config.h"
#include "models/tensor_core/tensor_core_registers.h"
#include "models/tensor_core/tensor_core_statistics.h"
#include "models/tensor_core/vector_unit.h"

namespace podsim::tensor_core {

class TensorCore : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<64> registers{"registers"};
  tlm::tlm_initiator_socket<64> memory{"memory"};

  // With `with_data` bytes move and are computed; without, the same time passes. Throws std::invalid_argument for a
  // configuration that can't work.
  TensorCore(sc_core::sc_module_name name, kernel::EventQueue& queue, kernel::PayloadPool& pool,
             const TensorCoreConfig& config, bool with_data);

  [[nodiscard]] const TensorCoreStatistics& statistics() const { return statistics_; }
  void reset_statistics() { statistics_ = {}; }
  [[nodiscard]] bool idle() const { return vector_lane_.idle() && matrix_lane_.idle(); }

  kernel::Probe<CommandEvent> command_probe;

 private:
  struct StalledWrite {
    tlm::tlm_generic_payload* payload;
    CommandLane::Entry entry;
  };

  // registers
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  // memory: every burst is answered at once, so nothing comes back
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  // The command in the payload, or nothing after setting an error response.
  [[nodiscard]] std::optional<Command> decode(tlm::tlm_generic_payload& payload);
  [[nodiscard]] CommandLane& lane_of(const Command& command) {
    return command.opcode == Opcode::kMatmul ? matrix_lane_ : vector_lane_;
  }
  [[nodiscard]] std::deque<StalledWrite>& stalled_of(const Command& command) {
    return stalled_[command.opcode == Opcode::kMatmul ? 1 : 0];
  }
  [[nodiscard]] bool has_room_for(const Command& command) {
    return !lane_of(command).full() && stalled_of(command).empty();
  }
  [[nodiscard]] CommandLane::Listener listener(std::size_t lane);
  void admit_stalled(std::size_t lane);
  void finish(const Command& command);
  void tell(CommandEvent::What what, const Command& command);
  void note_error(const std::string& text);

  kernel::EventQueue& events_;
  TensorCoreStatistics statistics_;
  MemoryPort port_;
  VectorUnit vector_unit_;
  MatrixUnit matrix_unit_;
  CommandLane vector_lane_;
  CommandLane matrix_lane_;
  std::array<std::deque<StalledWrite>, 2> stalled_;  // of the vector lane, of the matrix lane
  sc_core::sc_event room_{"room"};                   // for threads in b_transport
  std::size_t waiting_threads_ = 0;
};

}  // namespace podsim::tensor_core
