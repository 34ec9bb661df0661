#include "models/kernel/event_queue.h"

#include <stdexcept>

namespace podsim::kernel {

EventQueue::EventQueue(sc_core::sc_module_name name) : sc_module(name) {
  SC_HAS_PROCESS(EventQueue);
  SC_METHOD(dispatch);
  sensitive << wake_;
  dont_initialize();
}

EventQueue::~EventQueue() = default;

void EventQueue::arm(TimerBase& timer, Picoseconds when) {
  if (when < now()) throw std::logic_error("timer armed for a time that has passed");
  wheel_.insert(timer, when);
  if (!dispatching_ && when < notified_for_) reschedule();
}

void EventQueue::cancel(TimerBase& timer) {
  wheel_.remove(timer);
  // A cancelled timer must not keep the simulation alive: time stops at the last real event.
  if (!dispatching_ && timer.due() == notified_for_) reschedule();
}

void EventQueue::dispatch() {
  notified_for_ = kNotNotified;
  wheel_.advance(now());
  dispatching_ = true;
  // A timer that fires may arm others for this very moment; they queue up behind it and fire in this loop.
  while (WheelEntry* entry = wheel_.pop_due()) {
    ++fired_;
    static_cast<TimerBase*>(entry)->fire();
  }
  dispatching_ = false;
  reschedule();
  if (watcher_ != nullptr) watcher_(watcher_context_, wheel_.time(), fired_);
}

void EventQueue::reschedule() {
  const Picoseconds next = wheel_.next();
  if (next == notified_for_) return;
  // SystemC keeps the earlier of two notifications, so a later one has to take the old one back first.
  if (next > notified_for_) wake_.cancel();
  notified_for_ = next;
  if (next == TimingWheel::kNever) return;
  wake_.notify(sc_core::sc_time::from_value(static_cast<std::uint64_t>(next - now())));
}

}  // namespace podsim::kernel
