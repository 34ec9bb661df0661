// Lab exposed: an all-gather that nothing hides. Mend it.
//
// Each step of this model computes on the vector unit (vector_work) and then gathers shards, and neither needs the
// other's result. The links are idle during the work, the vector unit during the gather. Let them be busy at the same
// time: start the gather before the work, and wait for it after the work.
//
// You need
//   Token token = chip.spawn(task)    runs a task beside the caller, from now on
//   co_await token                    waits for its end
//
// Traps
//   - A task that is merely made (`Task t = gather(...)`) does not run; it starts when it is spawned or awaited.
//   - Both kinds of work ask for memory and semaphores. A spawned task runs at once, up to its first wait: so the order
//     of asking is the same on every chip here.
//   - Wait for the token: a program that ends before its copies does not have its result.
//   - The work has to be done, all of it: podsim counts what the vector units have added.
#include "firmware/labs/lab.h"

namespace podsim::firmware {

static Task gather(Device& chip, Ring ring, Buffer in, Buffer out) {
  const std::uint64_t n = ring.members.size();
  const auto shard_from = [&](std::uint64_t back) { return out.shard((ring.position + n - back) % n, n); };
  const RegularSemaphore second_round = chip.allocate().regular_semaphores("second_round", 1)[0];
  const DmaSemaphore placed = chip.allocate().dma_semaphores("placed", 1)[0];
  const DmaSemaphore send = chip.allocate().dma_semaphores("send", 1)[0];
  const auto recv = chip.allocate().dma_semaphores("recv", n - 1);
  co_await barrier(chip, neighbours(ring), 0, second_round);
  co_await chip.start_copy(in, out.shard(ring.position, n), placed);
  for (std::uint64_t step = 0; step + 1 < n; ++step) {
    const Buffer shard = shard_from(step);
    const RemoteCopy copy =
        chip.start_remote_copy({.src = shard, .dst = shard, .to = right_of(ring), .send = send, .recv = recv[step]});
    co_await copy.wait_send();
    co_await chip.wait(recv[step], shard_from(step + 1).bytes());
  }
}

static Task exposed(Device& chip, Ring ring, Buffer in, Buffer out) {
  co_await vector_work(chip, out.elements / ring.members.size() + 1, kLabWorkPasses);
  co_await gather(chip, ring, in, out);
}

}  // namespace podsim::firmware

extern "C" podsim::firmware::LabProgram podsim_lab() { return &podsim::firmware::exposed; }
