#include "tests/mutation/mutant_bus.h"

#include "models/dma/dma_registers.h"
#include "models/semaphore/semaphore_registers.h"
#include "platform/check/program_point.h"

namespace podsim::mutation {

using scalar_core::PendingAccess;

void MutantBus::begin(firmware::Device& device, std::uint32_t chips, std::optional<Mutation> mutation) {
  device_ = &device;
  chips_ = chips;
  mutation_ = std::move(mutation);
  tasks_.clear();
  actions_.clear();
  held_.reset();
  device.attach(*this);
}

void MutantBus::task_launched(firmware::Device&, firmware::TaskId task, std::optional<firmware::TaskId> by) {
  TaskState& state = tasks_[task];
  if (!by) return;
  state.path = tasks_[*by].path;
  state.path.push_back(tasks_[*by].children++);
}

Action& MutantBus::note(firmware::TaskId task, Action action) {
  TaskState& state = tasks_[task];
  action.task = state.path;
  action.number = state.actions++;
  action.line = check::point_text(device_->point().where);
  if (region_of(action.address) == Region::kSemaphores) {
    action.semaphore = device_->allocate().name_of({semaphore::semaphore_of(action.address)});
  }
  actions_.push_back(std::move(action));
  return actions_.back();
}

void MutantBus::write(Address address, std::span<const std::uint64_t> words) {
  using Kind = Action::Kind;
  const Region region = region_of(address);
  const Kind kind = region == Region::kDma          ? Kind::kCopy
                    : region == Region::kTensorCore ? Kind::kVector
                                                    : Kind::kSignal;
  const Action& action =
      note(device_->task(), {.kind = kind, .address = address, .words = {words.begin(), words.end()}});
  if (held_ && held_->task == action.task) {
    play(*held_);
    held_.reset();
  }
  if (!mutation_) return bus_.write(address, words);
  if (mutation_->change == Change::kSwapWithNext && is(mutation_->next, action) &&
      mutation_->action.kind == Kind::kWait) {
    return;  // has been done before the wait
  }
  if (!is(mutation_->action, action)) return bus_.write(address, words);
  change_write(address, action.words);
}

void MutantBus::change_write(Address address, std::vector<std::uint64_t> words) {
  const auto other = [&](Address at) {
    auto chip = static_cast<ChipId>((index(chip_of(at)) + 1) % chips_);
    if (chip == device_->id()) chip = static_cast<ChipId>((index(chip) + 1) % chips_);
    return on_chip(at, chip);
  };
  switch (mutation_->change) {
    case Change::kDrop: return;
    case Change::kDuplicate: bus_.write(address, words); return bus_.write(address, words);
    case Change::kSwapWithNext: held_ = mutation_->action; return;
    case Change::kWrongSlot:
      if (mutation_->action.kind == Action::Kind::kCopy) {
        words[1] += words[2];  // destination, bytes
      } else {
        words[3] += words[7];  // destination, amount that is counted
      }
      return bus_.write(address, words);
    case Change::kWrongNeighbour:
      if (mutation_->action.kind == Action::Kind::kSignal) return bus_.write(other(address), words);
      words[1] = other(words[1]);
      words[4] = other(words[4]);
      return bus_.write(address, words);
  }
}

void MutantBus::suspend(PendingAccess& access) {
  if (access.kind != PendingAccess::Kind::kWaitAtLeast) return bus_.suspend(access);
  const Action& action =
      note(access.task, {.kind = Action::Kind::kWait, .address = access.address, .words = {access.value}});
  if (held_ && held_->task == action.task && !is(mutation_->next, action)) {
    play(*held_);
    held_.reset();
  }
  if (mutation_ && is(mutation_->action, action)) {
    switch (mutation_->change) {
      case Change::kDrop:
        access.kind = PendingAccess::Kind::kDelay;
        access.value = 0;
        break;
      case Change::kDuplicate: access.value *= 2; break;
      case Change::kSwapWithNext: play(mutation_->next); break;
      case Change::kWrongSlot:
      case Change::kWrongNeighbour: break;
    }
  }
  bus_.suspend(access);
}

}  // namespace podsim::mutation
