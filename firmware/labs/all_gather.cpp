// Lab all_gather: every chip ends with the shards of all, in the order of the ring.
//
// `in` is this chip's shard, number ring.position of ring.members.size(). At the end shard i of `out` is what chip i
// had. Put your own shard in its place, then go round the ring in n-1 steps: each step sends on to the right what the
// step before has brought from the left.
//
// You need
//   out.shard(i, n)                    part i of n of a buffer; parts differ by an element, or are empty
//   chip.start_copy(src, dst, done)    a copy within this chip; `co_await` it
//   chip.start_remote_copy({...})      see right_permute
//   chip.wait(semaphore, bytes)        takes so many bytes off a DMA semaphore, and waits until they are there
//   chip.allocate().dma_semaphores("recv", n)
//   chip.spawn(task), co_await token   a part of the program that runs beside the rest
//
// Traps
//   - Barrier first, as in right_permute.
//   - A receive semaphore for each step. No order is promised between two copies: on one semaphore for all, the bytes
//     of the next step may pass for those of this one.
//   - What arrives is not always as long as what you send: wait for the bytes of the shard that arrives.
//   - Wait for both semaphores, of each copy.
//
// One way round takes (n-1)(a + S/(n b)), where a link carries b bytes/s and a is what a step costs besides. A link has
// two directions: half of each shard each way round takes half of the time.
#include "firmware/labs/lab.h"

namespace podsim::firmware {

static Task all_gather(Device& chip, Ring ring, Buffer in, Buffer out) {
  const std::uint64_t n = ring.members.size();
  const RegularSemaphore second_round = chip.allocate().regular_semaphores("second_round", 1)[0];
  const DmaSemaphore placed = chip.allocate().dma_semaphores("placed", 1)[0];
  co_await barrier(chip, neighbours(ring), 0, second_round);
  co_await chip.start_copy(in, out.shard(ring.position, n), placed);

  // Your part: the n-1 steps. So far each chip has its own shard alone.
}

}  // namespace podsim::firmware

extern "C" podsim::firmware::LabProgram podsim_lab() { return &podsim::firmware::all_gather; }
