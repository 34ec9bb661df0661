// Lab deadlock: an all-gather that hangs. Mend it.
//
// It is to do what lab all_gather asks for: shard i of every chip's `out` is chip i's `in`. The copies are the right
// ones and so are the counts. Run it, read who waits for whom, and find out why nobody is ever the first.
//
// Trap: a wait says "not before", and the program does nothing else meanwhile. What the others wait for has to be on
// its way by then.
#include "firmware/labs/lab.h"

namespace podsim::firmware {

static Task gather_that_hangs(Device& chip, Ring ring, Buffer in, Buffer out) {
  const std::uint64_t n = ring.members.size();
  const auto shard_from = [&](std::uint64_t back) { return out.shard((ring.position + n - back) % n, n); };
  const RegularSemaphore second_round = chip.allocate().regular_semaphores("second_round", 1)[0];
  const DmaSemaphore placed = chip.allocate().dma_semaphores("placed", 1)[0];
  const DmaSemaphore send = chip.allocate().dma_semaphores("send", 1)[0];
  const auto recv = chip.allocate().dma_semaphores("recv", n - 1);
  co_await barrier(chip, neighbours(ring), 0, second_round);
  co_await chip.start_copy(in, out.shard(ring.position, n), placed);

  for (std::uint64_t step = 0; step + 1 < n; ++step) {
    co_await chip.wait(recv[step], shard_from(step + 1).bytes());
    const Buffer shard = shard_from(step);
    const RemoteCopy copy =
        chip.start_remote_copy({.src = shard, .dst = shard, .to = right_of(ring), .send = send, .recv = recv[step]});
    co_await copy.wait_send();
  }
}

}  // namespace podsim::firmware

extern "C" podsim::firmware::LabProgram podsim_lab() { return &podsim::firmware::gather_that_hangs; }
