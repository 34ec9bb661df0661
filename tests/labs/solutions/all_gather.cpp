// Half of each shard goes each way round. The first step sends from `in`, so that nothing waits for the own shard's
// copy.
#include "firmware/labs/lab.h"

namespace podsim::firmware {

struct GatherWay {
  ChipId to;
  unsigned half;         // of every shard
  std::uint64_t onward;  // from a shard to the one that follows it: n-1 or 1
  DmaSemaphore send;
  SemaphoreArray<DmaSemaphore> recv;
};

static Task gather(Device& chip, Ring ring, Buffer in, Buffer out, GatherWay way) {
  const std::uint64_t n = ring.members.size();
  const auto piece = [&](std::uint64_t step) {
    return out.shard((ring.position + step * way.onward) % n, n).shard(way.half, 2);
  };
  for (std::uint64_t step = 0; step + 1 < n; ++step) {
    const RemoteCopy copy = chip.start_remote_copy({.src = step == 0 ? in.shard(way.half, 2) : piece(step),
                                                    .dst = piece(step),
                                                    .to = way.to,
                                                    .send = way.send,
                                                    .recv = way.recv[step]});
    co_await chip.wait(way.recv[step], piece(step + 1).bytes());
    co_await copy.wait_send();
  }
}

static Task all_gather(Device& chip, Ring ring, Buffer in, Buffer out) {
  const std::uint64_t n = ring.members.size();
  Allocator& allocate = chip.allocate();
  const RegularSemaphore second_round = allocate.regular_semaphores("second_round", 1)[0];
  const DmaSemaphore placed = allocate.dma_semaphores("placed", 1)[0];
  const auto send = allocate.dma_semaphores("send", 2);
  const auto rightwards = allocate.dma_semaphores("rightwards", n - 1);
  const auto leftwards = allocate.dma_semaphores("leftwards", n - 1);
  co_await barrier(chip, neighbours(ring), 0, second_round);
  Token right = chip.spawn(gather(chip, ring, in, out, {right_of(ring), 0, n - 1, send[0], rightwards}));
  Token left = chip.spawn(gather(chip, ring, in, out, {left_of(ring), 1, 1, send[1], leftwards}));
  co_await chip.start_copy(in, out.shard(ring.position, n), placed);
  co_await right;
  co_await left;
}

}  // namespace podsim::firmware

extern "C" podsim::firmware::LabProgram podsim_lab() { return &podsim::firmware::all_gather; }
