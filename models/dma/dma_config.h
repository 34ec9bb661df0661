// Configuration of a chip's DMA engines.
#pragma once

#include <algorithm>

#include "models/kernel/units.h"

namespace podsim::dma {

struct DmaConfig {
  unsigned engines = 1;             // per chip
  unsigned queue_depth = 64;        // descriptors accepted and not yet started, per engine and priority
  unsigned contexts = 32;           // descriptors in progress at once, per engine
  unsigned urgent_contexts = 4;     // more of them, for urgent copies alone
  unsigned outstanding_bursts = 4;  // of one descriptor, read and not yet accepted downstream
  // The same of all descriptors of an engine together; 0: no limit. Bursts under way can't be overtaken.
  unsigned engine_outstanding_bursts = 0;
  // How often a copy may be passed over by ones of higher priority before it goes first (priority_turns.h).
  unsigned overtakes = 16;
  ByteSize burst{64 * kKiB};  // unit of arbitration and of memory access
  // The same of copies to other chips, if that is less. A long one enters the interconnect as a train of packets, and
  // trains that turn at the same time fill the routers' buffers with packets for one output (docs/fabric.md).
  ByteSize remote_burst{24 * kKiB};
  // The same of copies from and to the host. No more than `outstanding_bursts` of them are under way in each direction,
  // whatever number of copies there is: that is what a chip can put ahead of the others on what they share.
  ByteSize host_burst{16 * kKiB};
  Duration issue_cost{100 * kPicosecondsPerNanosecond};  // engine time to fetch, check and start one descriptor
  Duration completion_cost{0};                           // engine time to retire one, before its semaphore is told

  [[nodiscard]] Bytes largest_remote_burst() const { return std::min(burst.bytes, remote_burst.bytes); }
  [[nodiscard]] Bytes largest_host_burst() const { return std::min(burst.bytes, host_burst.bytes); }
};

}  // namespace podsim::dma
