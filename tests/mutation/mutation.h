// A mutant: one of a chip's programs, broken in one place. What a program does on its register bus is numbered task by
// task, so that a place is the same one however fast everybody is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/scalar_core/register_bus.h"

namespace podsim::mutation {

// Which task: the program itself is {}, its second child {1}, that one's first child {1, 0}.
using TaskPath = std::vector<unsigned>;

// Something that a program does on its bus.
struct Action {
  enum class Kind : std::uint8_t { kWait, kSignal, kCopy, kVector };
  Kind kind = Kind::kWait;
  TaskPath task;
  unsigned number = 0;  // among those of its task
  Address address = 0;
  std::vector<std::uint64_t> words;  // of a write; of a wait the amount
  std::string semaphore;             // of a wait or signal: its name
  std::string line;                  // of the program
};

enum class Change : std::uint8_t {
  kDrop,
  kDuplicate,
  kSwapWithNext,    // of its task
  kWrongSlot,       // what is written goes to the place behind the right one
  kWrongNeighbour,  // what is sent goes to another chip
};

struct Mutation {
  Change change = Change::kDrop;
  Action action;
  Action next;  // kSwapWithNext
};

// "drop a wait"; barriers and capacity steps are told from other waits and signals by the names of their semaphores.
[[nodiscard]] std::string kind_of(const Mutation& mutation);

// All mutations of one chip's actions.
[[nodiscard]] std::vector<Mutation> mutations_of(const std::vector<Action>& actions);

// Why a mutation changes nothing that was promised, or empty. Such mutants need not be run.
[[nodiscard]] std::string why_equivalent(const Mutation& mutation);

// Why a mutant that no run, check or comparison of data finds fault with changes nothing either; empty if there is no
// excuse for it.
[[nodiscard]] std::string why_harmless(const Mutation& mutation);

}  // namespace podsim::mutation
