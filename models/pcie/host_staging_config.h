// Configuration of what a host does for buffers that are not pinned.
#pragma once

#include "models/kernel/units.h"

namespace podsim::pcie {

struct HostStagingConfig {
  // Of the copies between pinned and pageable buffers, of all chips of the host together. No public figure for TPU
  // hosts; estimate: about 10 GB/s is what one core of a server copies, and one thread does it.
  Bandwidth copy_bandwidth{10'000'000'000};
  // From a piece's arrival in the pinned buffer (or, on the way out to the chip, the request for it) to the start of
  // its copy. Estimate: the time for a thread that polls to notice, and start.
  Duration copy_latency{1'000'000};
};

}  // namespace podsim::pcie
