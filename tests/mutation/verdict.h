// What became of a mutant.
#pragma once

#include <string>

#include "platform/run/outcome.h"
#include "tests/mutation/mutation.h"

namespace podsim::mutation {

struct Verdict {
  run::Outcome outcome = run::Outcome::kCompleted;  // of the first run that did not complete
  std::string said;                                 // the first line of its explanation
};

// Whether an outcome is one that a programmer could make out the fault from: a forgotten signal hangs, and must not be
// seen by its wrong data only.
[[nodiscard]] bool is_right_kind(const Mutation& mutation, run::Outcome outcome);

}  // namespace podsim::mutation
