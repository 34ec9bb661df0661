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

// The first of the seeds 1 to `seeds` under which the run does not end as it does undisturbed: another outcome, or
// other data. None if it fails undisturbed: that is to be mended first. The session itself is left untouched.
[[nodiscard]] std::optional<OtherEnd> first_other_end(Session& session, unsigned seeds);

}  // namespace podsim::cli
