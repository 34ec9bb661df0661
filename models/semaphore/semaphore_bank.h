// A chip's semaphores, memory-mapped (semaphore_registers.h).
//
// A write to kAdd raises a semaphore: DMA engines and the network interface count bytes that way, programs signal, and
// a signal from another chip arrives as a posted write to the same register. A write to kWait is answered when the
// semaphore holds at least the written value, which is then subtracted: the writer stalls on its own bus transaction,
// and the bank needs no interrupt line. Waits for one semaphore are served in the order of their issue.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/kernel/address_map.h"
#include "models/kernel/event_queue.h"
#include "models/kernel/probe.h"
#include "models/semaphore/semaphore_config.h"
#include "models/semaphore/semaphore_registers.h"

namespace podsim::semaphore {

enum class SemaphoreKind : std::uint8_t { kDma, kRegular, kBarrier };

struct SemaphoreStatistics {
  std::uint64_t signals = 0;
  std::uint64_t waits = 0;
  std::uint64_t waits_that_stalled = 0;
};

struct SemaphoreChange {  // for observers
  std::uint32_t semaphore;
  std::uint64_t value;  // after the change
  std::int64_t change;  // positive: signalled, negative: waited for
  Picoseconds when;
};

class SemaphoreBank final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<64> registers{"registers"};
  kernel::Probe<SemaphoreChange> changed;

  SemaphoreBank(sc_core::sc_module_name name, kernel::EventQueue& queue, const SemaphoreConfig& config);

  [[nodiscard]] const SemaphoreConfig& config() const { return config_; }
  [[nodiscard]] const SemaphoreStatistics& statistics() const { return statistics_; }
  void reset_statistics() { statistics_ = {}; }

  [[nodiscard]] SemaphoreKind kind(std::uint32_t semaphore) const;
  [[nodiscard]] std::uint64_t value(std::uint32_t semaphore) const;
  // Calls `visit(semaphore, value)` for each semaphore that is not zero.
  void for_each_nonzero(const std::function<void(std::uint32_t, std::uint64_t)>& visit) const;

 private:
  struct Waiter {
    tlm::tlm_generic_payload* payload = nullptr;  // held until answered
    std::uint64_t threshold = 0;
    Picoseconds issued = 0;  // not answered before this time
  };
  // Nearly always at most one program waits: its place is beside the value, in the same cache line.
  struct Semaphore {
    std::uint64_t value = 0;
    Waiter first{};
    std::deque<Waiter>* others = nullptr;  // behind the first; made when they first come

    [[nodiscard]] bool waited_for() const { return first.payload != nullptr; }
    void next_waiter();
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }

  [[nodiscard]] bool valid(tlm::tlm_generic_payload& payload) const;
  Semaphore& at(std::uint32_t semaphore);
  // `when`: the signal's time, now or a few cycles ahead. Nobody's wait ends before it.
  void add(std::uint32_t semaphore, std::uint64_t amount, Picoseconds when);
  bool take(std::uint32_t semaphore, Semaphore& state, std::uint64_t amount);
  void serve(std::uint32_t semaphore, Semaphore& state, Picoseconds signalled);

  kernel::EventQueue& queue_;
  const SemaphoreConfig config_;
  std::vector<Semaphore> dma_;  // grown on first use: most of a pod's semaphores are never touched
  std::vector<Semaphore> regular_;
  std::vector<Semaphore> barrier_;
  std::deque<std::deque<Waiter>> waiter_queues_;
  SemaphoreStatistics statistics_;
};

}  // namespace podsim::semaphore
