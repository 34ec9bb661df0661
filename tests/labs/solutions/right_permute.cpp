#include "firmware/labs/lab.h"

namespace podsim::firmware {

static Task right_permute(Device& chip, Ring ring, Buffer in, Buffer out) {
  const RegularSemaphore second_round = chip.allocate().regular_semaphores("second_round", 1)[0];
  const auto semaphores = chip.allocate().dma_semaphores("copy", 2);
  co_await barrier(chip, neighbours(ring), 0, second_round);
  co_await chip.start_remote_copy(
      {.src = in, .dst = out, .to = right_of(ring), .send = semaphores[0], .recv = semaphores[1]});
}

}  // namespace podsim::firmware

extern "C" podsim::firmware::LabProgram podsim_lab() { return &podsim::firmware::right_permute; }
