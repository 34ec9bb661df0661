// Runs event queues in step with the SystemC kernel: one sc_module with one sc_event, armed for the earliest timer.
//
// An sc_event per block costs the SystemC kernel a heap entry and a process dispatch each; with tens of thousands
// pending that is ten times the price of this. Every distinct picosecond costs one step of the kernel, however many
// timers share it.
//
// In order (as it starts): the timers of all queues fire in order of time, in strict step with the kernel, so that
// ordinary SC_METHOD and SC_THREAD modules may live in the same simulation and see the same sc_time_stamp().
//
// Running ahead: chips of a pod in lockstep do the same things at the same time, and going from chip to chip with each
// event costs several cache misses an event. Where a queue's timers touch nothing of another queue's earlier than
// `lookahead` from then (chips that act on each other over links alone, whose latency is the lookahead), the order in
// which queues get on does not matter within such a time: each runs all of its timers of the next `lookahead` in one
// go. This is conservative parallel simulation (Chandy, Misra, Bryant; Lubachevsky's bounded lag), used for the sake of
// the caches. Each queue's timers fire in the same order at the same times as they would in order. SystemC's time
// stands still meanwhile; local_time() says how far the running queue is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <vector>

#include "models/kernel/timing_wheel.h"
#include "models/kernel/units.h"

namespace podsim::kernel {

class EventQueue;
class TimerBase;

class Conductor final : public sc_core::sc_module {
 public:
  explicit Conductor(sc_core::sc_module_name name);
  ~Conductor() override;

  // Simulated time, of the queue that runs.
  [[nodiscard]] Picoseconds now() const {
    return dispatching_ ? now_ : static_cast<Picoseconds>(sc_core::sc_time_stamp().value());
  }
  // Number of timers fired since elaboration, and of those that are armed.
  [[nodiscard]] std::uint64_t fired() const { return fired_; }
  [[nodiscard]] std::size_t pending() const { return pending_; }

  // Lets queues run ahead of each other by up to `lookahead`; 0: in order. Only while no timer is armed.
  void run_ahead(Picoseconds lookahead);
  [[nodiscard]] bool runs_ahead() const { return lookahead_ > 0; }
  // No queue runs ahead past this time.
  void run_ahead_until(Picoseconds end) { end_ = end; }

  // Called after every dispatch when set; for progress display and time limits. One branch when unset.
  using Watcher = void (*)(void* context, Picoseconds now, std::uint64_t fired);
  void set_watcher(Watcher watcher, void* context) {
    watcher_ = watcher;
    watcher_context_ = context;
  }

 private:
  friend class TimerBase;
  friend class EventQueue;

  class Dispatching;

  void arm(EventQueue& queue, TimerBase& timer, Picoseconds when);
  void cancel(EventQueue& queue, TimerBase& timer);
  void leave(EventQueue& queue);

  void dispatch();
  void fire(TimerBase& timer);
  void run_in_order();
  // Orders by rank what is due now.
  void sort_arrivals();
  void run_window();
  void run(EventQueue& queue);
  // Puts a queue where its soonest timer says.
  void place(EventQueue& queue);
  [[nodiscard]] Picoseconds next() const;
  // Keeps wake_ notified for the earliest timer, and not at all without one.
  void reschedule();

  static constexpr Picoseconds kNotNotified = TimingWheel::kNever;

  TimingWheel wheel_;     // in order: the timers of all queues. Running ahead: the queues, by their soonest timers
  TimingWheel arrivals_;  // in order: the timers that have a rank
  sc_core::sc_event wake_{"wake"};
  Picoseconds notified_for_ = kNotNotified;
  bool dispatching_ = false;
  Picoseconds now_ = 0;  // while dispatching
  std::uint64_t fired_ = 0;
  std::size_t pending_ = 0;
  Picoseconds lookahead_ = 0;
  Picoseconds end_ = TimingWheel::kNever - 1;
  Picoseconds window_end_ = 0;
  Picoseconds reached_ = 0;  // by the queue that has run ahead farthest
  EventQueue* running_ = nullptr;
  EventQueue* upcoming_ = nullptr;  // will run next
  std::vector<TimerBase*> arriving_;
  Watcher watcher_ = nullptr;
  void* watcher_context_ = nullptr;
};

}  // namespace podsim::kernel
