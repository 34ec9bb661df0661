// Ring all-gather: every member ends with the shards of all, in the order of their ranks.
//
// Along one axis each chip sends its own shard on and then, step by step, what it received in the step before, a copy
// at each hop. Several axes follow one another, each gathering what the ones before it have put together.
#pragma once

#include <list>

#include "firmware/collectives/layout.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

// How the two ways round a ring share the work. The same bytes in the end; fewer steps matter when shards are small.
enum class GatherShares : std::uint8_t {
  kHalves,  // half of every shard goes each way, all the way round: k-1 steps
  kWhole,   // whole shards go half of the way round, each the shorter way: ceil((k-1)/2) steps
};

struct GatherOptions {
  Directions directions = Directions::kBothWays;
  GatherShares shares = GatherShares::kHalves;
  unsigned chunks = 0;  // per step; 0: by size
};

class AllGather {
 public:
  // `out` has all elements of the layout; `shard` is this chip's own, and may be the very part of `out` that is its
  // place. Takes all semaphores that run() will need: several may run side by side, in an order that differs from chip
  // to chip, while what they take must be the same on all of them.
  AllGather(Device& chip, const Layout& layout, const GatherOptions& options, Buffer shard, Buffer out);
  ~AllGather();

  // Call on every member after a barrier among neighbours. Once.
  Task run();

 private:
  struct AxisWork;

  Task run_axis(AxisWork& work);

  Device& chip_;
  Buffer shard_;
  Buffer place_;  // of this chip's shard in `out`
  DmaSemaphore placed_;
  std::list<AxisWork> axes_;  // in the order in which they are gone through
};

}  // namespace podsim::firmware
