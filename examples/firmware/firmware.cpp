// An all-gather: every chip ends with the shards of all chips of its group, in the order of their ranks.
//
// The shards go round a ring in n-1 steps: each step sends on to the next chip what the step before has brought. podsim
// gives the program its buffers (`in`: the chip's own shard, `out`: room for all), fills them, and compares what they
// hold in the end. What a chip can do is in firmware/device/device.h.
#include <optional>

#include "firmware/collectives/barrier.h"
#include "firmware/collectives/collective.h"
#include "firmware/library/library.h"

namespace {

using namespace podsim::firmware;
using podsim::ChipId;

Task all_gather(Device& chip, ProgramCall call) {
  const std::optional<Group> group = group_of(call.collective, chip.torus(), chip.id());
  if (!group) co_return;  // of a call that lists its groups, and this chip is in none
  const std::uint64_t n = group->size(), rank = group->rank();
  const bool leftwards = call.parameters[0] != 0;
  const ChipId next = group->member((rank + (leftwards ? n - 1 : 1)) % n);
  // The shard that leaves this chip in a step; the one of the step after it arrives meanwhile.
  const auto shard = [&](std::uint64_t step) { return call.out.shard((rank + (leftwards ? step : n - step)) % n, n); };

  const DmaSemaphore placed = chip.allocate().dma_semaphores("placed", 1)[0];
  const DmaSemaphore send = chip.allocate().dma_semaphores("send", 1)[0];
  const auto recv = chip.allocate().dma_semaphores("recv", n);  // one a step: no order is promised between two copies

  co_await group_barrier(chip, *group);  // nobody writes to a chip that has not come here yet
  co_await chip.start_copy(call.in, shard(0), placed);
  for (std::uint64_t step = 0; step + 1 < n; ++step) {
    const RemoteCopy copy =
        chip.start_remote_copy({.src = shard(step), .dst = shard(step), .to = next, .send = send, .recv = recv[step]});
    co_await chip.wait(recv[step], shard(step + 1).bytes());
    co_await copy.wait_send();
  }
}

constexpr ProgramParameter kParameters[] = {
    {.name = "leftwards", .description = "1: towards lower ranks", .value = 0, .least = 0, .most = 1},
};

constexpr Program kPrograms[] = {
    {.name = "@name@_all_gather",
     .description = "all-gather round a ring, one way",
     .run_call = &all_gather,
     .parameters = kParameters,
     .collective = CollectiveKind::kAllGather},
};

}  // namespace

// What podsim looks for.
extern "C" const Library* podsim_firmware() {
  static constexpr Library library{kPrograms};
  return &library;
}
