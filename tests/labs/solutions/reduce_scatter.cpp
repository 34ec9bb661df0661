// Half of each shard goes each way round, through two slots of its own.
#include "firmware/labs/lab.h"

namespace podsim::firmware {

struct ReduceWay {
  ChipId to;
  ChipId from;
  unsigned half;         // of every shard
  std::uint64_t onward;  // from a shard to the one that follows it: n-1 or 1
  DmaSemaphore send;
  DmaSemaphore added;
  SemaphoreArray<DmaSemaphore> recv;
  RegularSemaphore capacity;
  Buffer slots;  // two, each with room for half of the longest shard
};

static Task reduce(Device& chip, Ring ring, Buffer in, Buffer out, ReduceWay way) {
  const std::uint64_t n = ring.members.size();
  const auto contribution = [&](std::uint64_t step) {
    return in.shard((ring.position + step * way.onward) % n, n).shard(way.half, 2);
  };
  const auto slot = [&](std::uint64_t step, std::uint64_t elements) {
    return way.slots.shard(step % 2, 2).slice({0, elements});
  };
  Buffer partial = contribution(1);
  for (std::uint64_t step = 0; step + 1 < n; ++step) {
    if (step >= 2) co_await chip.wait(way.capacity);
    const RemoteCopy copy = chip.start_remote_copy(
        {.src = partial, .dst = slot(step, partial.elements), .to = way.to, .send = way.send, .recv = way.recv[step]});
    const Buffer own = contribution(step + 2);
    const Buffer arrived = slot(step, own.elements);
    co_await chip.wait(way.recv[step], arrived.bytes());
    const bool last = step + 2 == n;
    co_await chip.start_vector(Opcode::kAdd, arrived, own, last ? out.shard(way.half, 2) : arrived, way.added);
    co_await copy.wait_send();
    // The slot that was sent from is free, for the neighbour's step after the one that has just come.
    if (step >= 1 && step + 2 < n) chip.signal(way.capacity, way.from);
    partial = arrived;
  }
}

static Task reduce_scatter(Device& chip, Ring ring, Buffer in, Buffer out) {
  const std::uint64_t n = ring.members.size();
  Allocator& allocate = chip.allocate();
  const RegularSemaphore second_round = allocate.regular_semaphores("second_round", 1)[0];
  const auto capacity = allocate.regular_semaphores("capacity", 2);
  const auto send = allocate.dma_semaphores("send", 2);
  const auto added = allocate.dma_semaphores("added", 2);
  const auto rightwards = allocate.dma_semaphores("rightwards", n - 1);
  const auto leftwards = allocate.dma_semaphores("leftwards", n - 1);
  const std::uint64_t room = in.elements / n / 2 + 1;
  const Buffer slots = allocate.vmem(4 * room, in.type);
  co_await barrier(chip, neighbours(ring), 0, second_round);
  const ReduceWay right{right_of(ring), left_of(ring),    0, n - 1, send[0], added[0], rightwards,
                        capacity[0],    slots.shard(0, 2)};
  const ReduceWay left{left_of(ring), right_of(ring),   1, 1, send[1], added[1], leftwards,
                       capacity[1],   slots.shard(1, 2)};
  Token one = chip.spawn(reduce(chip, ring, in, out, right));
  Token other = chip.spawn(reduce(chip, ring, in, out, left));
  co_await one;
  co_await other;
}

}  // namespace podsim::firmware

extern "C" podsim::firmware::LabProgram podsim_lab() { return &podsim::firmware::reduce_scatter; }
