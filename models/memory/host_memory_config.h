// Configuration of a host's DRAM, shared by the chips of that host.
#pragma once

#include "models/kernel/units.h"

namespace podsim::memory {

struct HostMemoryConfig {
  // A four-chip host of TPU v5e, ct5lp-hightpu-4t (cloud.google.com/tpu/docs/v5e, VM types).
  ByteSize capacity{192 * kGiB};
  // Eight channels of DDR4-3200 at 25.6 GB/s (JESD79-4), less about a quarter for refresh and turnaround.
  Bandwidth bandwidth{150'000'000'000};
  // No public figure: server DRAM as seen from the root complex.
  Duration read_latency{90'000};
  // Visible once the memory controller has the data.
  Duration write_latency{30'000};
};

}  // namespace podsim::memory
