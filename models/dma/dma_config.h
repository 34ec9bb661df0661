// Configuration of a chip's DMA engines.
#pragma once

#include "models/kernel/units.h"

namespace podsim::dma {

struct DmaConfig {
  unsigned engines = 1;                                  // per chip
  unsigned queue_depth = 64;                             // descriptors accepted and not yet started, per engine
  unsigned contexts = 32;                                // descriptors in progress at once, per engine
  unsigned outstanding_bursts = 4;                       // of one descriptor, read and not yet accepted downstream
  ByteSize burst{64 * kKiB};                             // unit of arbitration and of memory access
  Duration issue_cost{100 * kPicosecondsPerNanosecond};  // engine time to fetch, check and start one descriptor
};

}  // namespace podsim::dma
