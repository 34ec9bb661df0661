// The programs whose mutants are run: every shipped collective and algorithm, on pods that are small and yet make use
// of all that the program has: slots that are used again, several chunks and axes, lines and rings.
#pragma once

#include <string>
#include <vector>

#include "firmware/collectives/call.h"
#include "platform/pod/pod_config.h"

namespace podsim::mutation {

struct Subject {
  std::string name;
  pod::PodConfig pod;
  firmware::CollectiveCall call;
  ChipId broken{1};  // whose program is mutated
};

[[nodiscard]] std::vector<Subject> subjects();

}  // namespace podsim::mutation
