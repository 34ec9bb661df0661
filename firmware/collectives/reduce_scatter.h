// Ring reduce-scatter: every member ends with its own shard, reduced over all members.
//
// Along one axis a partial result travels the ring towards the chip that it belongs to, and each chip on the way adds
// its own contribution on the vector unit: k-1 steps (reduce_stream.h). Several axes follow one another, slowest in the
// ranks first, each on what the one before has left.
#pragma once

#include <list>
#include <vector>

#include "firmware/collectives/layout.h"
#include "firmware/collectives/reduce_stream.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

struct ReduceOptions {
  Directions directions = Directions::kBothWays;
  Reduction reduction = Reduction::kSum;
  unsigned chunks = 0;  // per step; 0: by size
  Bytes vmem = 0;       // for the slots of arriving data; they are in HBM if that is not enough
};

[[nodiscard]] Opcode opcode(Reduction reduction);

class ReduceScatter {
 public:
  // `in` has all elements of the layout and is left as it is; `shard` is the place for this chip's own.
  // Takes all memory and semaphores that run() will need: several may run side by side, in an order that differs from
  // chip to chip, while what they take must be the same on all of them.
  ReduceScatter(Device& chip, const Layout& layout, const ReduceOptions& options, Buffer in, Buffer shard);

  // Call on every member after a barrier among neighbours. Once.
  Task run();

 private:
  // The work along one axis. Streams refer to it.
  struct AxisWork {
    AxisPhase phase;
    std::uint64_t coordinate = 0;
    std::vector<ReduceStream> streams{};
  };

  // `room`: VMEM for slots that all axes use in turn; empty: each has its own, of up to `vmem` bytes.
  void prepare(AxisWork& work, const Ring& ring, const ReduceOptions& options, std::uint64_t largest, Bytes vmem,
               const Buffer& room);
  Task run_axis(AxisWork& work);

  Device& chip_;
  Buffer in_;
  Buffer shard_;
  DmaSemaphore copied_;
  std::list<AxisWork> axes_;  // in the order in which they are gone through
};

}  // namespace podsim::firmware
