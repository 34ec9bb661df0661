// Finds accesses to memory that nothing puts in order: a result that depends on who happens to be faster.
//
// Copies and vector operations are compared when they are started, by what their programs had seen until then
// (semaphore_ledger.h): an earlier operation is over for certain only if the program has waited for it, or for a signal
// or a copy from somebody who had. So a hazard is found whether or not it has struck in this run, and with
// data: none as well.
//
//   tasks       one component of a vector clock each; spawning and joining pass it on
//   signals     and copies carry what their task has seen to whoever waits for them
//   vector ops  of one TensorCore are carried out in order
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>

#include "platform/check/bus_watcher.h"
#include "platform/check/devices.h"
#include "platform/check/explanation.h"
#include "platform/check/memory_history.h"
#include "platform/check/semaphore_ledger.h"

namespace podsim::check {

class HazardChecker final : public firmware::DeviceObserver, public IssueListener {
 public:
  // What goes wrong between two operations, or with one alone.
  enum class Kind : std::uint8_t {
    kReadBeforeLanding,
    kWriteIntoRead,
    kSourceReused,
    kTwoWriters,
    kUninitialised,
    kOutOfBounds,
  };

  // `devices` outlive the checker. `on_hazard` is called once, at the first.
  HazardChecker(const ici::TorusShape& torus, const Devices& devices, std::function<void()> on_hazard);

  // A buffer has data in it before the programs start.
  void note_written(const firmware::Buffer& buffer);

  [[nodiscard]] const std::optional<Explanation>& hazard() const { return hazard_; }
  [[nodiscard]] std::optional<Kind> kind() const { return kind_; }
  [[nodiscard]] const SemaphoreLedger& ledger() const { return ledger_; }

  void task_launched(firmware::Device& chip, firmware::TaskId task, std::optional<firmware::TaskId> by) override;
  void task_ended(firmware::Device& chip, firmware::TaskId task) override;
  void task_joined(firmware::Device& chip, firmware::TaskId ended, firmware::TaskId by) override;
  void access_ended(firmware::Device& chip, const scalar_core::PendingAccess& access) override;
  void written(ChipId chip, Address address, std::span<const std::uint64_t> words) override;

 private:
  struct TaskState {
    Slot slot = 0;
    ClockPointer clock;
  };
  struct ChipState {
    std::vector<TaskState> tasks;
    std::vector<Slot> free_slots;  // of tasks that have ended
    std::array<MemoryHistory, kRegionCount> memory;
  };
  // The operation that is being started, and what its program has seen.
  struct Start {
    OperationId id;
    const VectorClock& clock;
  };

  [[nodiscard]] TaskState& running(ChipId chip);
  void start_copy(ChipId chip, std::span<const std::uint64_t> words);
  void start_command(ChipId chip, Address address, std::span<const std::uint64_t> words);
  // What the chip's running task adds to a semaphore.
  [[nodiscard]] Contribution contribution(ChipId chip, std::uint64_t amount);
  // An operation of the chip's running task begins: its accesses are compared with earlier ones.
  OperationId start(ChipId chip, Operation operation);
  void raise(Address add_register, Contribution contribution);
  void check_bounds(const Operation& operation);
  // `ahead`: the unit may read before its earlier commands have written.
  void read(const Start& start, const Span& span, bool ahead);
  void write(const Start& start, const Span& span);
  [[nodiscard]] bool read_is_over(OperationId earlier, const Start& start) const;
  [[nodiscard]] bool landed(OperationId earlier, const Start& start) const;
  [[nodiscard]] bool write_is_over(OperationId earlier, const Start& start) const;
  [[nodiscard]] bool same_unit(OperationId earlier, const Start& start) const;
  void report(Kind kind, const Span& where, std::optional<OperationId> earlier, OperationId later);

  const ici::TorusShape& torus_;
  const Devices& devices_;
  const std::function<void()> on_hazard_;
  SemaphoreLedger ledger_;
  std::vector<ChipState> chips_;
  std::map<Slot, std::uint32_t> slot_time_;  // how far a slot's tasks have come
  Slot next_slot_ = 0;
  std::vector<Operation> operations_;
  std::optional<Explanation> hazard_;
  std::optional<Kind> kind_;
};

}  // namespace podsim::check
