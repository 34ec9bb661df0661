#include "models/kernel/conductor.h"

#include <algorithm>
#include <stdexcept>

#include "models/kernel/event_queue.h"
#include "models/kernel/local_time.h"

namespace podsim::kernel {

// While this is there, time is what the conductor says.
class Conductor::Dispatching {
 public:
  explicit Dispatching(Conductor& conductor) : conductor_(conductor) {
    conductor_.now_ = conductor_.now();
    conductor_.dispatching_ = true;
    detail::running_clock = &conductor_.now_;
  }
  ~Dispatching() {
    detail::running_clock = nullptr;
    conductor_.dispatching_ = false;
    conductor_.running_ = conductor_.upcoming_ = nullptr;
  }

 private:
  Conductor& conductor_;
};

Conductor::Conductor(sc_core::sc_module_name name) : sc_module(name) {
  SC_HAS_PROCESS(Conductor);
  SC_METHOD(dispatch);
  sensitive << wake_;
  dont_initialize();
}

Conductor::~Conductor() = default;

void Conductor::run_ahead(Picoseconds lookahead) {
  if (pending_ > 0) throw std::logic_error("run_ahead while timers are armed");
  lookahead_ = lookahead;
}

void Conductor::arm(EventQueue& queue, TimerBase& timer, Picoseconds when) {
  if (when < now()) throw std::logic_error("timer armed for a time that has passed");
  if (lookahead_ > 0) {
    const bool other = &queue != running_;
    if (other && dispatching_ && when < window_end_) {
      throw std::logic_error("a queue acts on another within the lookahead");
    }
    ++pending_;
    queue.agenda_.insert(timer, when, timer.rank_ == TimerBase::kNoRank ? Agenda::kNoRank : timer.rank_);
    if (other) place(queue);
    return;
  }
  ++pending_;
  (timer.rank_ == TimerBase::kNoRank ? wheel_ : arrivals_).insert(timer, when);
  if (!dispatching_ && when < notified_for_) reschedule();
}

void Conductor::cancel(EventQueue& queue, TimerBase& timer) {
  --pending_;
  if (lookahead_ > 0) {
    queue.agenda_.remove(timer);
    if (&queue != running_) place(queue);
    return;
  }
  (timer.rank_ == TimerBase::kNoRank ? wheel_ : arrivals_).remove(timer);
  // A cancelled timer must not keep the simulation alive: time stops at the last real event.
  if (!dispatching_ && timer.due() == notified_for_) reschedule();
}

void Conductor::leave(EventQueue& queue) {
  if (queue.queued()) wheel_.remove(queue);
}

void Conductor::place(EventQueue& queue) {
  if (&queue == upcoming_) return;  // put back when it has run
  const Picoseconds next = queue.agenda_.empty() ? TimingWheel::kNever : queue.agenda_.next();
  if (queue.queued()) {
    if (queue.due == next) return;
    wheel_.remove(queue);
  }
  if (next != TimingWheel::kNever) wheel_.insert(queue, next);
  if (!dispatching_) reschedule();
}

void Conductor::dispatch() {
  notified_for_ = kNotNotified;
  {
    const Dispatching dispatching(*this);
    lookahead_ > 0 ? run_window() : run_in_order();
  }
  reschedule();
  if (watcher_ != nullptr) watcher_(watcher_context_, now_, fired_);
}

void Conductor::fire(TimerBase& timer) {
  ++fired_;
  --pending_;
  timer.fire();
}

void Conductor::run_in_order() {
  wheel_.advance(now_);
  arrivals_.advance(now_);
  sort_arrivals();
  // A timer that fires may arm others for this very moment; they queue up behind it and fire in this loop.
  for (;;) {
    WheelEntry* entry = arrivals_.pop_due();
    if (entry == nullptr) entry = wheel_.pop_due();
    if (entry == nullptr) return;
    fire(static_cast<TimerBase&>(*entry));
  }
}

void Conductor::sort_arrivals() {
  if (arrivals_.next() != now_) return;
  // They stay queued, so that each may still be cancelled.
  while (WheelEntry* entry = arrivals_.pop_due()) arriving_.push_back(static_cast<TimerBase*>(entry));
  std::stable_sort(arriving_.begin(), arriving_.end(),
                   [](const TimerBase* one, const TimerBase* other) { return one->rank_ < other->rank_; });
  for (TimerBase* timer : arriving_) arrivals_.insert(*timer, now_);
  arriving_.clear();
}

void Conductor::run_window() {
  window_end_ = std::min(now_ + lookahead_, end_ + 1);
  for (Picoseconds next = wheel_.next(); next < window_end_; next = wheel_.next()) {
    wheel_.advance(next);
    for (WheelEntry* entry = wheel_.pop_due(); entry != nullptr;) {
      // What the next queue begins with comes into the cache while this one runs.
      WheelEntry* const next_entry = wheel_.pop_due();
      upcoming_ = static_cast<EventQueue*>(next_entry);
      run(static_cast<EventQueue&>(*entry));
      entry = next_entry;
    }
  }
}

void Conductor::run(EventQueue& queue) {
  running_ = &queue;
  Agenda& agenda = queue.agenda_;
  if (upcoming_ != nullptr) upcoming_->agenda_.prefetch_items();
  while (!agenda.empty() && agenda.next() < window_end_) {
    now_ = agenda.next();
    agenda.prefetch(1);
    fire(static_cast<TimerBase&>(agenda.pop()));
  }
  if (upcoming_ != nullptr) {
    upcoming_->agenda_.prefetch(0);
    upcoming_->agenda_.prefetch(1);
    upcoming_->agenda_.prefetch(2);
  }
  running_ = nullptr;
  reached_ = std::max(reached_, now_);
  if (!agenda.empty()) wheel_.insert(queue, agenda.next());
}

Picoseconds Conductor::next() const {
  const Picoseconds next = std::min(wheel_.next(), arrivals_.next());
  // When everything is over, SystemC's time catches up.
  if (next == TimingWheel::kNever && reached_ > static_cast<Picoseconds>(sc_core::sc_time_stamp().value())) {
    return reached_;
  }
  return next;
}

void Conductor::reschedule() {
  const Picoseconds next = this->next();
  if (next == notified_for_) return;
  // SystemC keeps the earlier of two notifications, so a later one has to take the old one back first.
  if (next > notified_for_) wake_.cancel();
  notified_for_ = next;
  if (next == TimingWheel::kNever) return;
  wake_.notify(sc_core::sc_time::from_value(static_cast<std::uint64_t>(next - now())));
}

}  // namespace podsim::kernel
