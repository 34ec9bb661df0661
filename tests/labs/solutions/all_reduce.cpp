// Each way round has half of each shard: first its partial sums, then, without a barrier between, the sums. The sums
// land where the first phase neither reads nor writes.
#include "firmware/labs/lab.h"

namespace podsim::firmware {

struct Way {
  ChipId to;
  ChipId from;
  unsigned half;         // of every shard
  std::uint64_t onward;  // from a shard to the one that follows it: n-1 or 1
  DmaSemaphore send;
  DmaSemaphore added;
  SemaphoreArray<DmaSemaphore> recv;    // of the partial sums
  SemaphoreArray<DmaSemaphore> gather;  // of the sums
  RegularSemaphore capacity;
  Buffer slots;  // two, each with room for half of the longest shard
};

static Task one_way(Device& chip, Ring ring, Buffer in, Buffer out, Way way) {
  const std::uint64_t n = ring.members.size();
  const auto contribution = [&](std::uint64_t step) {
    return in.shard((ring.position + step * way.onward) % n, n).shard(way.half, 2);
  };
  const auto slot = [&](std::uint64_t step, std::uint64_t elements) {
    return way.slots.shard(step % 2, 2).slice({0, elements});
  };
  const auto sum = [&](std::uint64_t step) {
    return out.shard((ring.position + step * way.onward) % n, n).shard(way.half, 2);
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
    co_await chip.start_vector(Opcode::kAdd, arrived, own, last ? sum(0) : arrived, way.added);
    co_await copy.wait_send();
    // The slot that was sent from is free, for the neighbour's step after the one that has just come.
    if (step >= 1 && step + 2 < n) chip.signal(way.capacity, way.from);
    partial = arrived;
  }
  for (std::uint64_t step = 0; step + 1 < n; ++step) {
    const RemoteCopy copy = chip.start_remote_copy(
        {.src = sum(step), .dst = sum(step), .to = way.to, .send = way.send, .recv = way.gather[step]});
    co_await chip.wait(way.gather[step], sum(step + 1).bytes());
    co_await copy.wait_send();
  }
}

static Task all_reduce(Device& chip, Ring ring, Buffer in, Buffer out) {
  const std::uint64_t n = ring.members.size();
  Allocator& allocate = chip.allocate();
  const RegularSemaphore second_round = allocate.regular_semaphores("second_round", 1)[0];
  const auto capacity = allocate.regular_semaphores("capacity", 2);
  const auto send = allocate.dma_semaphores("send", 2);
  const auto added = allocate.dma_semaphores("added", 2);
  const auto recv = allocate.dma_semaphores("recv", 2 * (n - 1));
  const auto gather = allocate.dma_semaphores("gather", 2 * (n - 1));
  const std::uint64_t room = in.elements / n / 2 + 1;
  const Buffer slots = allocate.vmem(4 * room, in.type);
  co_await barrier(chip, neighbours(ring), 0, second_round);
  const auto way = [&](std::uint32_t half, ChipId to, ChipId from, std::uint64_t onward) {
    const auto of_half = [&](const SemaphoreArray<DmaSemaphore>& both) {
      return SemaphoreArray<DmaSemaphore>{both.first + half * (both.count / 2), both.count / 2};
    };
    return Way{to,
               from,
               half,
               onward,
               send[half],
               added[half],
               of_half(recv),
               of_half(gather),
               capacity[half],
               slots.shard(half, 2)};
  };
  Token one = chip.spawn(one_way(chip, ring, in, out, way(0, right_of(ring), left_of(ring), n - 1)));
  Token other = chip.spawn(one_way(chip, ring, in, out, way(1, left_of(ring), right_of(ring), 1)));
  co_await one;
  co_await other;
}

}  // namespace podsim::firmware

extern "C" podsim::firmware::LabProgram podsim_lab() { return &podsim::firmware::all_reduce; }
