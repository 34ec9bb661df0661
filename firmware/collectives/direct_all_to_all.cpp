#include "firmware/collectives/direct_all_to_all.h"

#include <algorithm>

#include "firmware/collectives/barrier.h"
#include "firmware/collectives/send_order.h"

namespace podsim::firmware {

Task direct_all_to_all(Device& chip, Group group, DirectOptions options, Buffer in, Buffer out) {
  const unsigned window = options.window;
  const SendOrder order(group, options.seed);
  Allocator& allocate = chip.allocate();
  const std::uint64_t copies = group.size() - 1;
  // A semaphore for each place in the window; without a window one will do for all.
  const std::uint64_t places = window == 0 ? 1 : std::max<std::uint64_t>(1, std::min<std::uint64_t>(window, copies));
  const auto sent = allocate.dma_semaphores("all_to_all_send", places);
  const auto local = allocate.dma_semaphores("all_to_all_recv", 2);
  const DmaSemaphore recv = local[0];
  const DmaSemaphore kept = local[1];
  const std::uint64_t rank = group.rank();
  const auto block_for = [&](std::uint64_t to) { return in.shard(to, group.size()); };
  const auto place_at = [&](std::uint64_t to) {
    const std::uint64_t each = block_for(to).elements;
    return out.slice({rank * each, (rank + 1) * each});
  };

  // Blocks come from all members, so all must be here.
  co_await group_barrier(chip, group);
  const LocalCopy own = chip.start_copy(block_for(rank), place_at(rank), kept);
  Bytes in_flight = 0;
  for (std::uint64_t n = 0; n < copies; ++n) {
    const std::uint64_t to = order[n];
    if (window != 0 && n >= places) {
      co_await chip.wait(sent[n % places], block_for(order[n - places]).bytes());
    }
    const Buffer block = block_for(to);
    chip.start_remote_copy(
        {.src = block, .dst = place_at(to), .to = group.member(to), .send = sent[n % places], .recv = recv});
    in_flight += block.bytes();
  }
  co_await own;
  co_await chip.wait(recv, copies * block_for(rank).bytes());
  if (window == 0) co_await chip.wait(sent[0], in_flight);
  for (std::uint64_t n = copies - std::min(copies, places); window != 0 && n < copies; ++n) {
    co_await chip.wait(sent[n % places], block_for(order[n]).bytes());
  }
}

}  // namespace podsim::firmware
