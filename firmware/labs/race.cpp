// Lab race: a reduce-scatter that gives the right result, on most days. Mend it.
//
// It is to do what lab reduce_scatter asks for: `out` is the sum over all chips of shard ring.position of `in`. Partial
// sums land in two slots that take turns. On a ring of two or three chips nothing can go wrong, and on a longer one it
// rarely does: only if a neighbour is so much faster that its step s+2 arrives while the sum of step s is still being
// made or sent on. podsim doesn't wait for that day; run it, and read which two accesses have no order.
//
// Traps: the one that is mended tells the left neighbour when a slot is free, and asks before it sends to a slot again.
// A sum is made in its slot and sent from there: when is the slot free? How often does the neighbour ask?
#include "firmware/labs/lab.h"

namespace podsim::firmware {

static Task reduce_with_a_race(Device& chip, Ring ring, Buffer in, Buffer out) {
  const std::uint64_t n = ring.members.size();
  const auto shard_of = [&](std::uint64_t back) { return in.shard((ring.position + 2 * n - back) % n, n); };
  const Buffer slots = chip.allocate().vmem(2 * ((in.elements + n - 1) / n), in.type);
  const auto slot = [&](std::uint64_t step, std::uint64_t elements) {
    return slots.shard(step % 2, 2).slice({0, elements});
  };
  const RegularSemaphore second_round = chip.allocate().regular_semaphores("second_round", 1)[0];
  const DmaSemaphore send = chip.allocate().dma_semaphores("send", 1)[0];
  const DmaSemaphore added = chip.allocate().dma_semaphores("added", 1)[0];
  const auto recv = chip.allocate().dma_semaphores("recv", n - 1);
  co_await barrier(chip, neighbours(ring), 0, second_round);

  Buffer partial = shard_of(1);
  for (std::uint64_t step = 0; step + 1 < n; ++step) {
    const RemoteCopy copy = chip.start_remote_copy(
        {.src = partial, .dst = slot(step, partial.elements), .to = right_of(ring), .send = send, .recv = recv[step]});
    const Buffer own = shard_of(step + 2);
    const Buffer arrived = slot(step, own.elements);
    co_await chip.wait(recv[step], arrived.bytes());
    const bool last = step + 2 == n;
    co_await chip.start_vector(Opcode::kAdd, arrived, own, last ? out : arrived, added);
    co_await copy.wait_send();
    partial = arrived;
  }
}

}  // namespace podsim::firmware

extern "C" podsim::firmware::LabProgram podsim_lab() { return &podsim::firmware::reduce_with_a_race; }
