// Collectives that use all links of a torus at once. The data is cut into colours, one for each axis; colour d goes
// through the axes in the order d, d+1, ..., as the ring collectives do (both ways round), beside the other colours. So
// at any time each axis has one colour on it: 2 D links busy, where the ring collectives alone keep two. On axes of one
// size
//
//   all-reduce   2 sum_i (k_i - 1)(a + S/(2 D b prod_{j<=i} k_j)), which tends to S (1 - 1/N)/(D b)
//
// as in Google's and others' 2D/3D torus all-reduce (for instance Jain and Sabharwal, "Optimal bucket algorithms for
// large MPI collectives on torus interconnects", ICS 2010).
#pragma once

#include "firmware/collectives/all_gather.h"
#include "firmware/collectives/reduce_scatter.h"
#include "firmware/collectives/rooted.h"

namespace podsim::firmware {

// Reduce-scatter, then all-gather, over the same ranks.
class AllReduce {
 public:
  // `in` and `out` have all elements.
  AllReduce(Device& chip, const Group& group, const ReduceOptions& options, Buffer in, Buffer out);
  Task run();

 private:
  AllReduce(Device& chip, const Layout& layout, const ReduceOptions& options, Buffer in, Buffer out);
  ReduceScatter reduce_;
  AllGather gather_;
};

// Buffers as in all_gather.h and reduce_scatter.h. Call on every member after a barrier among neighbours.
Task torus_all_gather(Device& chip, Group group, GatherOptions options, Buffer shard, Buffer out);
Task torus_reduce_scatter(Device& chip, Group group, ReduceOptions options, Buffer in, Buffer shard);
Task torus_all_reduce(Device& chip, Group group, ReduceOptions options, Buffer in, Buffer out);

// From and to the root, a rank (rooted.h), in `colours` colours: one, or the group's axes(). `in` and `out` are empty
// where the collective has none. A broadcast is a scatter, then an all-gather; `in` is used on the root alone.
Task scatter(Device& chip, Group group, unsigned colours, std::uint64_t root, Buffer in, Buffer shard,
             std::uint64_t elements);
Task gather(Device& chip, Group group, unsigned colours, std::uint64_t root, Buffer shard, Buffer out,
            std::uint64_t elements);
Task broadcast(Device& chip, Group group, unsigned colours, std::uint64_t root, Directions directions, Buffer in,
               Buffer out);

}  // namespace podsim::firmware
