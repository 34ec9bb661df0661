// Lab reduce_scatter: every chip ends with its shard of the sum.
//
// `in` has a contribution to every shard of all n; at the end `out` is the sum over all chips of shard ring.position.
// A partial sum of each shard travels round the ring, n-1 steps, and each chip that it passes adds its own
// contribution. It must end at the shard's own chip: so chip p begins by sending shard p-1 to the right. In step s it
// receives the partial sum of shard p-2-s, counted round the ring, adds in.shard(p-2-s, n) to it and sends the sum on
// in step s+1.
//
// You need
//   chip.start_vector(Opcode::kAdd, a, b, destination, done)   adds on the vector unit; `co_await` it
//   chip.allocate().vmem(elements, type)                       slots for what arrives; two that take turns will do
//   chip.signal(semaphore, chip), chip.wait(semaphore)         REGULAR semaphores: one program tells another something
//   and what all_gather needs
//
// Traps
//   - Barrier first, a receive semaphore for each step, wait for both: as in all_gather.
//   - Capacity semaphores. With two slots, the left neighbour's step s+2 lands where step s did. It must not be sent
//     before you have told that the slot is free: nothing else keeps a faster neighbour from overwriting what you are
//     still reading, and a run in which this does not happen proves nothing.
//   - A slot is free when what was in it has been added, and, if the sum was made there, has been sent on.
//   - Say that a slot is free only as often as the neighbour asks, or the semaphore is not back at zero at the end.
//   - Slots must have room for the longest shard: (elements + n - 1) / n.
//
// One way round takes (n-1)(a + S/(n b)) if the additions overlap the copies, both ways half of that.
#include "firmware/labs/lab.h"

namespace podsim::firmware {

static Task reduce_scatter(Device& chip, Ring ring, Buffer in, Buffer out) {
  const RegularSemaphore second_round = chip.allocate().regular_semaphores("second_round", 1)[0];
  const DmaSemaphore placed = chip.allocate().dma_semaphores("placed", 1)[0];
  co_await barrier(chip, neighbours(ring), 0, second_round);

  // Your part: the n-1 steps. So far each chip has its own contribution alone.
  co_await chip.start_copy(in.shard(ring.position, ring.members.size()), out, placed);
}

}  // namespace podsim::firmware

extern "C" podsim::firmware::LabProgram podsim_lab() { return &podsim::firmware::reduce_scatter; }
