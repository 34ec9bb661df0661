#include "tests/mutation/verdict.h"

namespace podsim::mutation {

using run::Outcome;

bool is_right_kind(const Mutation& mutation, Outcome outcome) {
  const bool hang = outcome == Outcome::kDeadlock;
  const bool hazard = outcome == Outcome::kHazard;
  const bool leftover = outcome == Outcome::kSemaphoreLeftOver;
  const bool wait = mutation.action.kind == Action::Kind::kWait;
  switch (mutation.change) {
    // Without its wait a program runs ahead, and the semaphore keeps what it was raised by; without its signal or copy
    // somebody waits for ever, or takes memory that nobody wrote.
    case Change::kDrop: return wait ? hazard || leftover : hang || hazard;
    case Change::kDuplicate: return wait ? hang || hazard : hazard || leftover;
    case Change::kSwapWithNext: return hang || hazard;
    // In memory that is somebody's the data is missing where it is due; the checker knows of both places.
    case Change::kWrongSlot: return hazard || outcome == Outcome::kWrongData;
    case Change::kWrongNeighbour: return hang || hazard || leftover;
  }
  return false;
}

}  // namespace podsim::mutation
