// Where blocks arm their timers. A queue is either on its own (a test's) or one of several that a conductor runs in
// step with SystemC (conductor.h): in a pod each chip has one.
//
// A block owns typed timers:
//
//   Timer<Router> output_free_{queue, this, &Router::pump};
//   output_free_.arm_at(when);
//
// Times are exact picoseconds; timers due at the same time fire in the order in which they were armed, except that
// those with a rank (what arrives over links) come before the others, by rank. Arming, cancelling and firing allocate
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "models/kernel/agenda.h"
#include "models/kernel/conductor.h"
#include "models/kernel/timing_wheel.h"
#include "models/kernel/units.h"

namespace podsim::kernel {

// One future call. Base of Timer; derive from it directly to keep the wait inside another object (a coroutine frame).
class TimerBase : private WheelEntry {
 public:
  static constexpr std::uint8_t kNoRank = 255;

  explicit TimerBase(EventQueue& queue, std::uint8_t rank = kNoRank) : queue_(&queue), rank_(rank) {}
  TimerBase(const TimerBase&) = delete;
  TimerBase& operator=(const TimerBase&) = delete;

  // Arms the timer for absolute time `when` (>= now), cancelling an earlier arming.
  void arm_at(Picoseconds when);
  void arm_in(Picoseconds delay);
  // Harmless when the timer is not armed.
  void cancel();

  [[nodiscard]] bool armed() const { return queued(); }
  // Time for which the timer is armed; meaningless unless armed().
  [[nodiscard]] Picoseconds due() const { return WheelEntry::due; }

 protected:
  virtual ~TimerBase() { cancel(); }
  virtual void fire() = 0;

 private:
  friend class EventQueue;
  friend class Conductor;
  EventQueue* queue_;
  const std::uint8_t rank_;
};

template <class Owner>
class Timer final : public TimerBase {
 public:
  using Action = void (Owner::*)();
  Timer(EventQueue& queue, Owner* owner, Action action, std::uint8_t rank = kNoRank)
      : TimerBase(queue, rank), owner_(owner), action_(action) {}
  ~Timer() override = default;

 private:
  void fire() override { (owner_->*action_)(); }
  Owner* owner_;
  Action action_;
};

class EventQueue : private WheelEntry {
 public:
  // On its own, with a conductor of that name.
  explicit EventQueue(const char* name) : own_(std::make_unique<Conductor>(name)), conductor_(*own_) {}
  // One of several. `conductor` outlives it.
  explicit EventQueue(Conductor& conductor) : conductor_(conductor) {}
  ~EventQueue() { conductor_.leave(*this); }
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  [[nodiscard]] Conductor& conductor() { return conductor_; }
  // Simulated time; the same as sc_time_stamp(), unless the conductor lets queues run ahead.
  [[nodiscard]] Picoseconds now() const { return conductor_.now(); }
  // Of the conductor: timers fired since elaboration, timers armed, and who is told of progress.
  [[nodiscard]] std::uint64_t fired() const { return conductor_.fired(); }
  [[nodiscard]] std::size_t pending() const { return conductor_.pending(); }
  void set_watcher(Conductor::Watcher watcher, void* context) { conductor_.set_watcher(watcher, context); }

 private:
  friend class TimerBase;
  friend class Conductor;

  std::unique_ptr<Conductor> own_;
  Conductor& conductor_;
  Agenda agenda_;  // used while queues may run ahead; else the conductor has the timers of all
};

inline void TimerBase::cancel() {
  if (armed()) queue_->conductor_.cancel(*queue_, *this);
}

inline void TimerBase::arm_at(Picoseconds when) {
  cancel();
  queue_->conductor_.arm(*queue_, *this, when);
}

inline void TimerBase::arm_in(Picoseconds delay) { arm_at(queue_->now() + delay); }

}  // namespace podsim::kernel
