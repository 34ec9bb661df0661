// A chip's bus with a fault in it: passes everything on but the one action that a mutation is about. Also writes down
// what passes, which is how the places for mutations are found.
#pragma once

#include <map>
#include <optional>

#include "firmware/device/device.h"
#include "tests/mutation/mutation.h"

namespace podsim::mutation {

class MutantBus final : public scalar_core::RegisterBus, public firmware::DeviceObserver {
 public:
  explicit MutantBus(scalar_core::RegisterBus& bus) : bus_(bus) {}

  // Before a launch; attaches itself to the device.
  void begin(firmware::Device& device, std::uint32_t chips, std::optional<Mutation> mutation);
  [[nodiscard]] const std::vector<Action>& actions() const { return actions_; }

  void write(Address address, std::span<const std::uint64_t> words) override;
  void suspend(scalar_core::PendingAccess& access) override;
  [[nodiscard]] Picoseconds now() const override { return bus_.now(); }
  void task_launched(firmware::Device& chip, firmware::TaskId task, std::optional<firmware::TaskId> by) override;

 private:
  struct TaskState {
    TaskPath path;
    unsigned children = 0;
    unsigned actions = 0;
  };

  // Numbers an action and writes it down.
  Action& note(firmware::TaskId task, Action action);
  [[nodiscard]] bool is(const Action& place, const Action& action) const {
    return place.task == action.task && place.number == action.number;
  }
  void change_write(Address address, std::vector<std::uint64_t> words);
  void play(const Action& action) { bus_.write(action.address, action.words); }

  scalar_core::RegisterBus& bus_;
  firmware::Device* device_ = nullptr;
  std::uint32_t chips_ = 0;
  std::optional<Mutation> mutation_;
  std::map<firmware::TaskId, TaskState> tasks_;
  std::vector<Action> actions_;
  std::optional<Action> held_;  // a write that changes places with the wait behind it
};

}  // namespace podsim::mutation
