// The scalar core of a chip: runs firmware. Programs are C++20 coroutines that see the chip through RegisterBus; the
// core turns their accesses into TLM transactions on the chip's bus, one bus word a cycle, in program order over all
// tasks.
//
// Writes are posted and annotated with the time at which they reach the bus (TLM-2.0's temporal decoupling): a program
// may issue a handful of them in one go, and only a wait or a read brings it back into step with simulated time. A
// register that can't take a write yet answers later, and everything issued after that write is held until it does.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/kernel/event_queue.h"
#include "models/kernel/payload_pool.h"
#include "models/kernel/probe.h"
#include "models/scalar_core/register_bus.h"
#include "models/scalar_core/scalar_core_config.h"

namespace podsim::scalar_core {

struct ScalarCoreStatistics {
  std::uint64_t bus_words = 0;
  std::uint64_t waits = 0;
  Picoseconds stalled = 0;  // held up by a register that could not take a write
};

struct WaitEnded {  // for observers
  const PendingAccess& access;
  Picoseconds began;
  Picoseconds ended;
};

struct WriteStalled {  // for observers: all accesses of the core were held up by a register that did not take a write
  Address address;
  Picoseconds since;
  Picoseconds until;
};

class ScalarCore final : public sc_core::sc_module, public RegisterBus, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<64> bus{"bus"};
  kernel::Probe<WaitEnded> wait_ended;
  kernel::Probe<WriteStalled> write_stalled;  // told when the register has taken it

  ScalarCore(sc_core::sc_module_name name, kernel::EventQueue& queue, kernel::PayloadPool& payloads,
             const ScalarCoreConfig& config);

  // RegisterBus, as firmware sees it.
  void write(Address address, std::span<const std::uint64_t> words) override;
  void suspend(PendingAccess& access) override;
  [[nodiscard]] Picoseconds now() const override { return events_.now(); }

  [[nodiscard]] const ScalarCoreConfig& config() const { return config_; }
  [[nodiscard]] const ScalarCoreStatistics& statistics() const { return statistics_; }
  void reset_statistics() { statistics_ = {}; }
  // Calls `visit` for each program that waits for a semaphore.
  void for_each_blocked(const std::function<void(const PendingAccess&)>& visit) const;
  // True when a write waits for a register to take it.
  [[nodiscard]] bool stalled() const { return stalled_ != nullptr; }
  // The first access to an address where nothing answers, in words; empty if there was none.
  [[nodiscard]] const std::string& first_fault() const { return first_fault_; }

 private:
  // An access that was issued while an earlier write is held up.
  struct Held {
    Address address = 0;
    std::vector<std::uint64_t> words;
    PendingAccess* access = nullptr;  // instead of a write
  };
  // Doubly linked list of accesses, through the accesses themselves.
  struct AccessList {
    PendingAccess* first = nullptr;
    PendingAccess* last = nullptr;
    void insert_after(PendingAccess* place, PendingAccess& access);  // null: at the front
    void remove(PendingAccess& access);
  };

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  // Occupies the bus for `words` cycles and returns when the last of them is through.
  Picoseconds occupy(std::size_t words);
  void issue_write(Address address, std::span<const std::uint64_t> words);
  void issue_access(PendingAccess& access);
  void release_held();
  void resume_at(PendingAccess& access, Picoseconds when);
  void resume_next();
  void read(PendingAccess& access);
  void fault(const char* what, Address address);

  kernel::EventQueue& events_;
  kernel::PayloadPool& payloads_;
  const ScalarCoreConfig config_;
  const Picoseconds cycle_;
  const Picoseconds wake_;
  Picoseconds bus_free_ = 0;
  tlm::tlm_generic_payload* stalled_ = nullptr;
  Picoseconds stalled_since_ = 0;
  std::deque<Held> held_;
  std::vector<PendingAccess*> blocked_;  // waiting for a semaphore, in the order of issue
  AccessList ready_;                     // by time of resumption
  kernel::Timer<ScalarCore> resume_{events_, this, &ScalarCore::resume_next};
  ScalarCoreStatistics statistics_;
  std::string first_fault_;
};

}  // namespace podsim::scalar_core
