// Lab all_reduce: every chip ends with the sum of all chips' buffers.
//
// `in` and `out` have the same size on all chips. A reduce-scatter followed by an all-gather moves 2 S (n-1)/n bytes
// over each link, which is the least there is: sum up the shards as in lab reduce_scatter, each into its place in
// `out`, then send them round as in lab all_gather.
//
// You need what those two labs need.
//
// Traps
//   - Those of the two, and between them: the all-gather writes into your right neighbour's `out`. Make sure that
//     nothing of the reduce-scatter is still being read or written there.
//   - Semaphores of the two phases must not be mixed up: a fast neighbour is in the second one while you are in the
//     first. Give each phase its own.
//   - Ask for memory and semaphores in the same order on every chip, or the addresses don't agree. In tasks that run
//     beside each other that order may differ: ask before you spawn them.
//
// One way round takes 2 (n-1)(a + S/(n b)), both ways half of that.
#include "firmware/labs/lab.h"

namespace podsim::firmware {

static Task all_reduce(Device& chip, Ring ring, Buffer in, Buffer out) {
  const RegularSemaphore second_round = chip.allocate().regular_semaphores("second_round", 1)[0];
  const DmaSemaphore placed = chip.allocate().dma_semaphores("placed", 1)[0];
  co_await barrier(chip, neighbours(ring), 0, second_round);

  // Your part. So far each chip has its own contribution alone.
  co_await chip.start_copy(in, out, placed);
}

}  // namespace podsim::firmware

extern "C" podsim::firmware::LabProgram podsim_lab() { return &podsim::firmware::all_reduce; }
