// Configuration of a chip's DMA engines.
#pragma once

#include <algorithm>

#include "models/kernel/units.h"

namespace podsim::dma {

struct DmaConfig {
  unsigned engines = 1;             // per chip
  unsigned queue_depth = 64;        // descriptors accepted and not yet started, per engine
  unsigned contexts = 32;           // descriptors in progress at once, per engine
  unsigned outstanding_bursts = 4;  // of one descriptor, read and not yet accepted downstream
  ByteSize burst{64 * kKiB};        // unit of arbitration and of memory access
  // The same of copies to other chips, if that is less. A long one enters the interconnect as a train of packets, and
  // trains that turn at the same time fill the routers' buffers with packets for one output (docs/fabric.md).
  ByteSize remote_burst{24 * kKiB};
  Duration issue_cost{100 * kPicosecondsPerNanosecond};  // engine time to fetch, check and start one descriptor

  [[nodiscard]] Bytes largest_remote_burst() const { return std::min(burst.bytes, remote_burst.bytes); }
};

}  // namespace podsim::dma
