// Configuration of a host's root complex.
#pragma once

#include "models/kernel/units.h"

namespace podsim::pcie {

struct RootComplexConfig {
  // Shared by the chips of the host. No public figure: eight chips at 16 GB/s, so that the links are the limit.
  Bandwidth bandwidth_per_direction{128'000'000'000};
  // One way through it; see PcieConfig::latency for the sum that this is part of.
  Duration latency{80'000};

  // What a read takes from its request's arrival to the departure of its first byte, when nothing else is going on.
  [[nodiscard]] Duration read_latency(Duration memory_read_latency) const {
    return {2 * latency.ps + memory_read_latency.ps};
  }
};

}  // namespace podsim::pcie
