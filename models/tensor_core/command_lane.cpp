#include "models/tensor_core/command_lane.h"

#include <algorithm>

namespace podsim::tensor_core {

CommandLane::CommandLane(kernel::EventQueue& events, std::size_t depth, Picoseconds issue_time,
                         std::vector<ExecutionUnit*> units, Listener listener)
    : events_(events), issue_time_(issue_time), listener_(std::move(listener)), queue_(depth) {
  for (ExecutionUnit* unit : units) slots_.push_back(std::make_unique<Slot>(*this, *unit));
}

bool CommandLane::idle() const {
  return std::all_of(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->state == State::kIdle; });
}

CommandLane::Slot& CommandLane::newest() { return *slots_[(next_slot_ + slots_.size() - 1) % slots_.size()]; }

CommandLane::Slot& CommandLane::after(const Slot& slot) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].get() == &slot) return *slots_[(i + 1) % slots_.size()];
  }
  return *slots_.front();
}

void CommandLane::enqueue(const Entry& entry) {
  queue_[(oldest_ + queued_) % queue_.size()] = entry;
  ++queued_;
  issue_next();
}

void CommandLane::issue_next() {
  if (queued_ == 0) return;
  Slot& slot = *slots_[next_slot_];
  if (slot.state != State::kIdle) return;
  const Slot& before = newest();
  const bool working = before.state != State::kIdle && before.state != State::kFinishing;
  if (working && (before.state == State::kIssuing || !before.unit.admits_successor())) return;

  const Entry entry = queue_[oldest_];
  oldest_ = (oldest_ + 1) % queue_.size();
  --queued_;
  next_slot_ = (next_slot_ + 1) % slots_.size();
  slot.command = entry.command;
  slot.state = State::kIssuing;
  slot.timer.arm_at(std::max(events_.now(), entry.effective_at) + issue_time_);
  listener_.room();
}

void CommandLane::advance(Slot& slot) {
  switch (slot.state) {
    case State::kIdle:
    case State::kBlocked: return;
    case State::kIssuing:
      listener_.started(slot.command);
      slot.state = State::kRunning;
      return follow(slot, slot.unit.begin(slot.command, events_.now()));
    case State::kRunning: return follow(slot, slot.unit.step(events_.now()));
    case State::kFinishing: return finish(slot);
  }
}

void CommandLane::follow(Slot& slot, Progress progress) {
  switch (progress.state) {
    case Progress::State::kGoOn: slot.timer.arm_at(progress.at); break;
    case Progress::State::kBlocked: slot.state = State::kBlocked; break;
    case Progress::State::kFinished:
      slot.state = State::kFinishing;
      slot.timer.arm_at(progress.at);
      unblock_after(slot);
      break;
    case Progress::State::kFailed:
      slot.state = State::kIdle;
      listener_.failed(slot.command);
      unblock_after(slot);
      break;
  }
  issue_next();
}

void CommandLane::unblock_after(const Slot& slot) {
  Slot& next = after(slot);
  if (next.state != State::kBlocked) return;
  next.state = State::kRunning;
  next.timer.arm_at(events_.now());
}

void CommandLane::finish(Slot& slot) {
  const Command finished = slot.command;
  // Issue first: the semaphore may wake a program that writes the next command within this call.
  slot.state = State::kIdle;
  issue_next();
  listener_.finished(finished);
}

}  // namespace podsim::tensor_core
