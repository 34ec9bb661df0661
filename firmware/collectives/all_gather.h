// Ring all-gather: every member ends with the shards of all, in the order of their ranks.
//
// Along one axis each chip sends its own shard on and then, step by step, what it received in the step before: k-1 steps,
// a copy at each hop. Several axes follow one another, each gathering what the ones before it have put together.
#pragma once

#include "firmware/collectives/group.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

// `out` has all elements; `shard` is this chip's own, part rank of size of `out`, and may be that very part of `out`.
// Call on every member after a barrier among neighbours.
Task all_gather(Device& chip, Group group, Directions directions, Buffer shard, Buffer out);

}  // namespace podsim::firmware
