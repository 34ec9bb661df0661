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
  // On its way while the first shard is sent from where it is: a copy beside the work takes its time.
  const LocalCopy own = chip.start_copy(in, out.shard(ring.position, n), placed);
  for (std::uint64_t step = 0; step + 1 < n; ++step) {
    const Buffer shard = shard_from(step);
    const RemoteCopy copy = chip.start_remote_copy(
        {.src = step == 0 ? in : shard, .dst = shard, .to = right_of(ring), .send = send, .recv = recv[step]});
    co_await copy.wait_send();
    co_await chip.wait(recv[step], shard_from(step + 1).bytes());
  }
  co_await own;
}

static Task exposed(Device& chip, Ring ring, Buffer in, Buffer out) {
  Token gathering = chip.spawn(gather(chip, ring, in, out));
  co_await vector_work(chip, out.elements / ring.members.size() + 1, kLabWorkPasses);
  co_await gathering;
}

}  // namespace podsim::firmware

extern "C" podsim::firmware::LabProgram podsim_lab() { return &podsim::firmware::exposed; }
