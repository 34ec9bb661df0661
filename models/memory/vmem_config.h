// Configuration of a chip's VMEM, the on-chip vector memory that the TensorCore computes from.
#pragma once

#include "models/kernel/units.h"

namespace podsim::memory {

struct VmemConfig {
  // 128 MiB on TPU v5e ("How to Scale Your Model", jax-ml.github.io/scaling-book, TPU chapter).
  ByteSize capacity{128 * kMiB};
  // About 22 times HBM (the same source): 22 x 819 GB/s.
  Bandwidth bandwidth{18'000'000'000'000};
  // Accesses served side by side, each at bandwidth / ports; alone, one access gets no more than that.
  // No public figure: one for reading, one for writing.
  unsigned ports = 2;
  // No public figure; about twenty cycles of a 1 GHz scalar core, as on-chip SRAM behind a crossbar.
  Duration latency{20'000};
};

}  // namespace podsim::memory
