// A DMA engine: copies between this chip's memories, to other chips' memories, and to and from the host's.
//
//   registers   descriptors come in (dma_registers.h); the doorbell write stalls while the descriptor queue is full
//   bus         memory reads and writes, and the semaphore that says that a copy is done
//
// A descriptor waits in its priority's queue, costs the engine its issue cost, and then holds a context until its last
// byte has been written (local, host) or has left the chip (remote), and the completion cost has passed. Each context
// reads its source burst by burst, and passes each burst on as a write as soon as the read has been accepted: read,
// link and write overlap, and the slowest of them sets the pace (kernel/burst.h). Contexts take turns, a burst each,
// and none may have more than `outstanding_bursts` on the way, so a slow link holds up no copy but those to the same
// chip (context_table.h). The rows of a strided copy go in bursts like any other data; memories see each row.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/dma/burst_policy.h"
#include "models/dma/context_table.h"
#include "models/dma/dma_config.h"
#include "models/dma/dma_registers.h"
#include "models/kernel/event_queue.h"
#include "models/kernel/payload_pool.h"
#include "models/kernel/probe.h"

namespace podsim::dma {

struct DmaStatistics {
  std::uint64_t descriptors = 0;
  std::uint64_t bursts = 0;
  Bytes local_bytes = 0;
  Bytes remote_bytes = 0;
  Bytes host_bytes = 0;
  std::uint64_t queue_full = 0;  // doorbells that had to wait
  std::uint64_t faults = 0;      // copies from or to an address where nothing answers
};

struct DmaProgress {  // for observers
  enum class Step : std::uint8_t { kQueued, kStarted, kSent, kDone };
  Step step;
  const Descriptor& descriptor;
  std::uint64_t transfer;  // unique in a run
  Picoseconds when;
};

class DmaEngine final : public sc_core::sc_module,
                        private tlm::tlm_fw_transport_if<>,
                        private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<64> registers{"registers"};
  tlm::tlm_initiator_socket<64> bus{"bus"};
  kernel::Probe<DmaProgress> progress;

  // `first_transfer`: transfer numbers count up from here; the pod gives each engine a range of its own. With
  // `with_data`, bursts carry bytes (data: real). `remote_bursts` sizes the bursts of remote copies and outlives the
  // engine; null: the configuration does.
  DmaEngine(sc_core::sc_module_name name, kernel::EventQueue& queue, kernel::PayloadPool& payloads,
            const DmaConfig& config, ChipId self, std::uint64_t first_transfer, bool with_data,
            BurstPolicy* remote_bursts = nullptr);
  ~DmaEngine() override;

  // What the way to the host carries: the pace at which memory is read for copies to it. Not at all if left out.
  void pace_host_copies(Bandwidth link) { host_time_ = SerialisationTime(link); }

  [[nodiscard]] const DmaStatistics& statistics() const { return statistics_; }
  void reset_statistics() { statistics_ = {}; }
  // The first fault in words, empty if there was none: "copy reads chip 3 hbm+0x... : nothing answers there".
  [[nodiscard]] const std::string& first_fault() const { return first_fault_; }
  [[nodiscard]] bool idle() const { return levels_queued() == 0 && stalled_.empty() && contexts_.empty(); }

 private:
  struct Queued {
    Descriptor descriptor;
    Picoseconds ready;  // when the doorbell write arrives
    std::uint64_t transfer;
  };
  struct Stalled {
    tlm::tlm_generic_payload* doorbell;
    Picoseconds arrives;
    unsigned level;
  };
  struct Completing {
    unsigned context;
    Picoseconds when;
  };
  using Context = ContextTable::Context;
  class BurstTimer;

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  [[nodiscard]] bool valid(tlm::tlm_generic_payload& payload) const;
  [[nodiscard]] static Descriptor descriptor_in(const tlm::tlm_generic_payload& payload);
  [[nodiscard]] bool full(unsigned level) const { return queues_[level].size() >= config_.queue_depth; }
  // Levels that have descriptors in their queues, a bit each.
  [[nodiscard]] unsigned levels_queued() const;
  void enqueue(tlm::tlm_generic_payload& payload, Picoseconds ready);
  void schedule_issue();
  void issue();
  void let_in(unsigned level);
  // Whether the descriptor's addresses make sense; else the fault is noted.
  [[nodiscard]] bool sensible(const Descriptor& copy);
  void pump();
  void start_burst(unsigned number);
  // When a remote copy's source may be read: a little before its turn on the way comes.
  [[nodiscard]] Picoseconds reading_starts(const Context& context) const;
  void burst_done_at(tlm::tlm_generic_payload& payload, Picoseconds when);
  void burst_done(tlm::tlm_generic_payload& payload);
  void finish(unsigned number);
  void retire();
  void complete(unsigned number);
  void signal(Address semaphore, std::uint64_t amount);
  [[nodiscard]] Bytes largest_burst(const Context& context) const;
  void fault(const std::string& what);
  void fault(const char* what, Address address);
  void burst_fault(const char* what, const tlm::tlm_generic_payload& payload, const Context& context);
  void report(DmaProgress::Step step, const Context& context);

  kernel::EventQueue& events_;
  kernel::PayloadPool& payloads_;
  const DmaConfig config_;
  const ChipId self_;
  const bool with_data_;
  BurstPolicy* const remote_bursts_;
  std::uint64_t next_transfer_;

  std::array<std::deque<Queued>, kLevels> queues_;  // by priority
  PriorityTurns turns_;                             // at the issue
  unsigned issuing_ = 0;                            // the level whose next descriptor is being issued
  std::deque<Stalled> stalled_;                     // doorbells that found their queue full
  sc_core::sc_event room_{"room"};                  // for a blocking initiator whose doorbell found its queue full
  ContextTable contexts_;
  Picoseconds issue_free_ = 0;
  kernel::Timer<DmaEngine> issue_{events_, this, &DmaEngine::issue};
  std::deque<Completing> completing_;  // in the order of their ends
  kernel::Timer<DmaEngine> retire_{events_, this, &DmaEngine::retire};
  std::vector<std::unique_ptr<BurstTimer>> burst_timers_;  // pool
  BurstTimer* free_burst_timer_ = nullptr;
  DmaStatistics statistics_;
  std::string first_fault_;
  SerialisationTime host_time_;
};

}  // namespace podsim::dma
