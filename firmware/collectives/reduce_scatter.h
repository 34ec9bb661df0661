// Ring reduce-scatter: every member ends with its own shard, reduced over all members.
//
// Along one axis a partial result travels the ring towards the chip that it belongs to, and each chip on the way adds its
// own contribution on the vector unit: k-1 steps. Several axes follow one another, slowest in the ranks first, each on
// what the one before has left. A step's data travels in chunks, so that the addition of one overlaps the transfer of the
// next; chunks land in a few slots, and capacity semaphores keep a faster neighbour from overwriting one that is in use.
#pragma once

#include "firmware/collectives/group.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

struct ReduceOptions {
  Directions directions = Directions::kBothWays;
  Reduction reduction = Reduction::kSum;
  unsigned chunks = 0;  // per step; 0: by size
};

// `in` has all elements and is left as it is; `shard` is the place for part rank of size of the result.
// Call on every member after a barrier among neighbours.
Task reduce_scatter(Device& chip, Group group, ReduceOptions options, Buffer in, Buffer shard);

}  // namespace podsim::firmware
