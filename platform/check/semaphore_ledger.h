// Who has raised a semaphore, by how much, and what a wait for it proves.
//
// Two signals can't be told apart by the semaphore that they raised. A wait for n proves only what is true whichever of
// the signals that were under way have made up the n: an operation is over for certain only if the semaphore could not
// have held n without it, and what a signaller had seen is known for certain only as far as the least that any such
// choice of signals had seen.
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "platform/check/operations.h"

namespace podsim::check {

// Raises a semaphore, sooner or later.
struct Contribution {
  std::uint64_t amount = 0;
  ChipId chip{};  // whose program started it
  firmware::TaskId task = 0;
  scalar_core::ProgramPoint point{};
  ClockPointer clock;                      // what the program had seen then
  std::optional<OperationId> operation{};  // that raises it when a part of it is over
  bool of_send = false;                    // of the two semaphores of a copy
};

// Where a semaphore was raised.
struct Origin {
  std::uint64_t amount = 0;
  ChipId chip{};
  scalar_core::ProgramPoint point{};
};

class SemaphoreLedger {
 public:
  explicit SemaphoreLedger(std::uint32_t chips) : semaphores_(chips) {}

  void raise(ChipId chip, std::uint32_t semaphore, Contribution contribution);

  // What is certain after a wait for `amount`.
  struct Knowledge {
    VectorClock clock;
    std::vector<Contribution> over;  // operations whose part is over
  };
  [[nodiscard]] Knowledge wait(ChipId chip, std::uint32_t semaphore, std::uint64_t amount);

  // Raised so far, or about to be, and not yet proven to have been waited for. Oldest first.
  [[nodiscard]] std::vector<Contribution> outstanding(ChipId chip, std::uint32_t semaphore) const;
  // Raised in all, whether or not it has arrived.
  [[nodiscard]] std::uint64_t raised(ChipId chip, std::uint32_t semaphore) const;
  [[nodiscard]] std::uint64_t waited_for(ChipId chip, std::uint32_t semaphore) const;
  // Null if it has never been raised.
  [[nodiscard]] const Origin* last_raised(ChipId chip, std::uint32_t semaphore) const;
  // The chips that have raised it.
  [[nodiscard]] std::vector<ChipId> signallers(ChipId chip, std::uint32_t semaphore) const;

 private:
  struct Semaphore {
    std::deque<Contribution> outstanding;
    std::uint64_t amount = 0;  // of those
    std::uint64_t taken = 0;   // of that amount
    VectorClock settled;       // seen by all that is no longer outstanding
    std::uint64_t raised = 0;
    std::uint64_t waited_for = 0;
    Origin last_raised{};
    std::vector<ChipId> signallers;
  };

  static void settle_all(Semaphore& semaphore, Knowledge& knowledge);
  static void settle_some(Semaphore& semaphore, Knowledge& knowledge);

  [[nodiscard]] const Semaphore* find(ChipId chip, std::uint32_t semaphore) const;

  std::vector<std::unordered_map<std::uint32_t, Semaphore>> semaphores_;  // looked up, never walked through
};

}  // namespace podsim::check
