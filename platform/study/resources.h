// What a chip could have more of: the resources of a sensitivity analysis, each with the keys that stand for it.
#pragma once

#include <string>
#include <vector>

#include "platform/config/effective_config.h"
#include "platform/study/point_command.h"

namespace podsim::study {

struct Improvement {
  std::string resource;  // "HBM bandwidth"
  std::string change;    // "2765 GB/s -> 3041.5 GB/s"
  std::vector<Setting> settings;
};

// Each resource better by `share` (0.1 for 10 %): rates, clocks and sizes more, latencies and costs less by the same
// factor. `keys` is the pod's effective configuration; what it has nothing of is left out. PCIe has its steps, so it is
// the next generation, with twice the rate, whatever the share.
[[nodiscard]] std::vector<Improvement> improvements(const std::vector<config::EffectiveKey>& keys, double share);

}  // namespace podsim::study
