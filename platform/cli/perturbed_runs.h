// The same run under many disturbances, each in a process of its own: a run that fails leaves a pod behind that can't
// be used again.
#pragma once

#include <optional>
#include <string>

#include "platform/cli/session.h"

namespace podsim::cli {

struct OtherEnd {
  std::uint64_t seed;
  std::string how;  // "ends: deadlock", "ends with other data"
  bool other_data = false;
};

struct PerturbedRuns {
  bool fails_undisturbed = false;  // that is to be mended first: no seed was run
  // The first of the seeds under which the run does not end as it does undisturbed: another outcome, or other data.
  std::optional<OtherEnd> other;
};

// Tries the seeds 1 to `seeds`, up to the first that ends otherwise. The session itself is left untouched.
[[nodiscard]] PerturbedRuns try_seeds(Session& session, unsigned seeds);

}  // namespace podsim::cli
