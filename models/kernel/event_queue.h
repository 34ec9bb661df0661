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
// Times are exact picoseconds; timers due at the same time fire in the order in which they were armed; arming,
// cancelling and firing allocate nothing. Every distinct picosecond costs one step of the SystemC kernel, however many
// timers share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>

#include "models/kernel/timing_wheel.h"
#include "models/kernel/units.h"

namespace podsim::kernel {

class EventQueue;

// One future call. Base of Timer; derive from it directly to keep the wait inside another object (a coroutine frame).
class TimerBase : private WheelEntry {
 public:
  explicit TimerBase(EventQueue& queue) : queue_(&queue) {}
  TimerBase(const TimerBase&) = delete;
  TimerBase& operator=(const TimerBase&) = delete;

  // Arms the timer for absolute time `when` (>= now), cancelling an earlier arming.
  void arm_at(Picoseconds when);
  void arm_in(Picoseconds delay);
  // O(1). Harmless when the timer is not armed.
  void cancel();

  [[nodiscard]] bool armed() const { return queued(); }
  // Time for which the timer is armed; meaningless unless armed().
  [[nodiscard]] Picoseconds due() const { return WheelEntry::due; }

 protected:
  virtual ~TimerBase() { cancel(); }
  virtual void fire() = 0;

 private:
  friend class EventQueue;
  EventQueue* queue_;
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
  [[nodiscard]] Picoseconds now() const {
    return dispatching_ ? wheel_.time() : static_cast<Picoseconds>(sc_core::sc_time_stamp().value());
  }
  // Number of timers fired since elaboration.
  [[nodiscard]] std::uint64_t fired() const { return fired_; }
  [[nodiscard]] std::size_t pending() const { return wheel_.size(); }

  // Called after every dispatched picosecond when set; for progress display and time limits. One branch when unset.
  using Watcher = void (*)(void* context, Picoseconds now, std::uint64_t fired);
  void set_watcher(Watcher watcher, void* context) {
    watcher_ = watcher;
    watcher_context_ = context;
  }

 private:
  friend class TimerBase;

  void arm(TimerBase& timer, Picoseconds when);
  void cancel(TimerBase& timer);
  void dispatch();
  // Keeps wake_ notified for the earliest timer, and not at all without one.
  void reschedule();

  static constexpr Picoseconds kNotNotified = TimingWheel::kNever;

  TimingWheel wheel_;
  sc_core::sc_event wake_{"wake"};
  Picoseconds notified_for_ = kNotNotified;
  bool dispatching_ = false;
  std::uint64_t fired_ = 0;
  Watcher watcher_ = nullptr;
  void* watcher_context_ = nullptr;
};

inline void TimerBase::cancel() {
  if (armed()) queue_->cancel(*this);
}

inline void TimerBase::arm_at(Picoseconds when) {
  cancel();
  queue_->arm(*this, when);
}

inline void TimerBase::arm_in(Picoseconds delay) { arm_at(queue_->now() + delay); }

}  // namespace podsim::kernel
