// Lab right_permute: every chip sends its buffer to the chip on its right.
//
// At the end `out` holds what the left neighbour had in `in`. The chips form a ring: the last one's right neighbour is
// the first.
//
// You need
//   barrier(chip, neighbours, collective_id, second_round)   firmware/collectives/barrier.h
//   chip.start_remote_copy({.src, .dst, .to, .send, .recv})  writes into another chip's memory, and counts the bytes on
//                                                            a semaphore here (`send`) and on one there (`recv`)
//   co_await copy                                            waits for both
//   right_of(ring), left_of(ring), neighbours(ring)          lab.h
//
// Traps
//   - Barrier first. Until your neighbour has said that it is here, its `out` may still be in use.
//   - `dst` is *your* buffer: the copy goes to the same address on the other chip.
//   - Wait for both semaphores. `send`: your source may be used again. `recv`: what the *left* neighbour sends has
//     arrived here. All semaphores must be back at zero when the program ends.
#include "firmware/labs/lab.h"

namespace podsim::firmware {

static Task right_permute(Device& chip, Ring ring, Buffer in, Buffer out) {
  const RegularSemaphore second_round = chip.allocate().regular_semaphores("second_round", 1)[0];
  co_await barrier(chip, neighbours(ring), 0, second_round);

  // Your part: allocate two DMA semaphores, start the copy of `in` to the right neighbour's `out`, wait for it.
  (void)in;
  (void)out;
}

}  // namespace podsim::firmware

extern "C" podsim::firmware::LabProgram podsim_lab() { return &podsim::firmware::right_permute; }
