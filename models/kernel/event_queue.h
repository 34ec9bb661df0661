// The simulator's event queue: one sc_module with one sc_event, always armed for the earliest entry.
//
// An sc_event per block costs the SystemC kernel a heap entry and a process dispatch each; with tens of thousands
// pending that is ten times the price of this queue. The queue stays in strict step with the kernel, so ordinary
// SC_METHOD and SC_THREAD modules may live in the same simulation and see the same sc_time_stamp().
//
// A block owns typed timers:
//
//   Timer<Router> output_free_{queue, this, &Router::pump};
//   output_free_.arm_at(when);
//
// Times are exact picoseconds; timers due at the same time fire in the order in which they were armed; arming, cancelling
// and firing allocate nothing. Entries are grouped by time: chips of a pod run in lockstep, so many timers share a
// picosecond, and all but the first of them cost O(1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <vector>

#include "models/kernel/units.h"

namespace podsim::kernel {

class EventQueue;

// One future call. Base of Timer; derive from it directly to keep the wait inside another object (a coroutine frame).
class TimerBase {
 public:
  explicit TimerBase(EventQueue& queue) : queue_(&queue) {}
  TimerBase(const TimerBase&) = delete;
  TimerBase& operator=(const TimerBase&) = delete;

  // Arms the timer for absolute time `when` (>= now), cancelling an earlier arming.
  void arm_at(Picoseconds when);
  void arm_in(Picoseconds delay);
  // O(1). Harmless when the timer is not armed.
  void cancel();

  [[nodiscard]] bool armed() const { return slot_ != kNotArmed; }
  // Time for which the timer is armed; meaningless unless armed().
  [[nodiscard]] Picoseconds due() const { return due_; }

 protected:
  virtual ~TimerBase() { cancel(); }
  virtual void fire() = 0;

 private:
  friend class EventQueue;
  static constexpr std::uint32_t kNotArmed = 0xffff'ffff;

  EventQueue* queue_;
  TimerBase* next_ = nullptr;
  TimerBase* previous_ = nullptr;
  Picoseconds due_ = 0;
  std::uint32_t slot_ = kNotArmed;
};

template <class Owner>
class Timer final : public TimerBase {
 public:
  using Action = void (Owner::*)();
  Timer(EventQueue& queue, Owner* owner, Action action) : TimerBase(queue), owner_(owner), action_(action) {}
  ~Timer() override = default;

 private:
  void fire() override { (owner_->*action_)(); }
  Owner* owner_;
  Action action_;
};

class EventQueue : public sc_core::sc_module {
 public:
  explicit EventQueue(sc_core::sc_module_name name);
  ~EventQueue() override;

  // Simulated time; the same as sc_time_stamp().
  [[nodiscard]] Picoseconds now() const { return static_cast<Picoseconds>(sc_core::sc_time_stamp().value()); }
  // Number of timers fired since elaboration.
  [[nodiscard]] std::uint64_t fired() const { return fired_; }
  [[nodiscard]] std::size_t pending() const { return pending_; }

  // Called after every dispatched picosecond when set; for progress display and time limits. One branch when unset.
  using Watcher = void (*)(void* context, Picoseconds now, std::uint64_t fired);
  void set_watcher(Watcher watcher, void* context) {
    watcher_ = watcher;
    watcher_context_ = context;
  }

 private:
  friend class TimerBase;

  // All timers due at one time, in the order of their arming.
  struct Moment {
    Picoseconds time = 0;
    TimerBase* first = nullptr;
    TimerBase* last = nullptr;
  };
  struct HeapEntry {
    Picoseconds time;
    std::uint32_t slot;
  };

  void insert(TimerBase& timer, Picoseconds when);
  void remove(TimerBase& timer);
  void dispatch();
  void notify_at(Picoseconds when);

  std::uint32_t find_or_create(Picoseconds when);
  void release_earliest();
  void push_heap(HeapEntry entry);
  void pop_heap();
  void grow_index();
  [[nodiscard]] std::size_t home(Picoseconds when) const;

  sc_core::sc_event wake_{"wake"};
  Picoseconds notified_for_ = -1;
  bool dispatching_ = false;

  std::vector<Moment> moments_;            // slots, reused through free_slots_
  std::vector<std::uint32_t> free_slots_;  // slots not in use
  std::vector<HeapEntry> heap_;            // 4-ary min-heap of the distinct times
  std::vector<std::uint32_t> index_;       // open-addressing hash: time -> slot
  std::size_t index_mask_ = 0;
  std::uint32_t latest_slot_ = TimerBase::kNotArmed;  // most recently used moment: lockstep chips hit it

  std::size_t pending_ = 0;
  std::uint64_t fired_ = 0;
  Watcher watcher_ = nullptr;
  void* watcher_context_ = nullptr;
};

inline void TimerBase::cancel() {
  if (armed()) queue_->remove(*this);
}

inline void TimerBase::arm_at(Picoseconds when) {
  cancel();
  queue_->insert(*this, when);
}

inline void TimerBase::arm_in(Picoseconds delay) { arm_at(queue_->now() + delay); }

}  // namespace podsim::kernel
