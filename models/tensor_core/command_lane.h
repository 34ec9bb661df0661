// A lane of a TensorCore: a queue of commands, and the unit, or the units in turn, that carry them out in order.
//
// With one unit a command begins when the one before has finished. With two, the next one is issued as soon as the
// present one admits it (execution_unit.h): the matrix unit's products follow each other back to back, one streaming
// while the other drains and writes.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "models/kernel/event_queue.h"
#include "models/tensor_core/execution_unit.h"

namespace podsim::tensor_core {

class CommandLane {
 public:
  struct Entry {
    Command command;
    Picoseconds effective_at = 0;
  };
  // Told of each command. None of these may be empty.
  struct Listener {
    std::function<void()> room;  // a place in the queue is free
    std::function<void(const Command&)> started;
    std::function<void(const Command&)> finished;
    std::function<void(const Command&)> failed;
  };

  // The units outlive the lane.
  CommandLane(kernel::EventQueue& events, std::size_t depth, Picoseconds issue_time, std::vector<ExecutionUnit*> units,
              Listener listener);

  [[nodiscard]] bool full() const { return queued_ == queue_.size(); }
  // Not when full.
  void enqueue(const Entry& entry);
  [[nodiscard]] bool idle() const;

 private:
  enum class State : std::uint8_t { kIdle, kIssuing, kRunning, kBlocked, kFinishing };
  // A unit and the command that it works on.
  struct Slot {
    Slot(CommandLane& owner, ExecutionUnit& works)
        : lane(owner), unit(works), timer(owner.events_, this, &Slot::fire) {}
    void fire() { lane.advance(*this); }

    CommandLane& lane;
    ExecutionUnit& unit;
    Command command{};
    State state = State::kIdle;
    kernel::Timer<Slot> timer;
  };

  [[nodiscard]] Slot& after(const Slot& slot);
  [[nodiscard]] Slot& newest();
  void issue_next();
  void advance(Slot& slot);
  void follow(Slot& slot, Progress progress);
  // The command in `slot` writes no more: the one behind it may.
  void unblock_after(const Slot& slot);
  void finish(Slot& slot);

  kernel::EventQueue& events_;
  const Picoseconds issue_time_;
  const Listener listener_;
  std::vector<Entry> queue_;  // a ring
  std::size_t oldest_ = 0;
  std::size_t queued_ = 0;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::size_t next_slot_ = 0;  // takes the next command
};

}  // namespace podsim::tensor_core
