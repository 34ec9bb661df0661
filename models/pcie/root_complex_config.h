// Configuration of a host's root complex.
#pragma once

#include "models/kernel/units.h"

namespace podsim::pcie {

struct RootComplexConfig {
  // Shared by the chips of the host. No public figure: eight chips at 16 GB/s, so that the links are the limit.
  Bandwidth bandwidth_per_direction{128'000'000'000};
  // One way through it; see PcieConfig::latency for the sum that this is part of.
  Duration latency{80'000};
};

}  // namespace podsim::pcie
