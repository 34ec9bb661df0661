#include "firmware/collectives/barrier.h"

#include <bit>

namespace podsim::firmware {

Task barrier(Device& chip, std::vector<ChipId> neighbours, std::uint32_t collective_id, RegularSemaphore second_round) {
  if (neighbours.empty()) co_return;
  const BarrierSemaphore first_round = chip.allocate().barrier_semaphore(collective_id);
  for (const ChipId neighbour : neighbours) chip.signal(first_round, neighbour);
  co_await chip.wait(first_round, neighbours.size());
  for (const ChipId neighbour : neighbours) chip.signal(second_round, neighbour);
  co_await chip.wait(second_round, neighbours.size());
}

Task group_barrier(Device& chip, Group group) {
  std::uint64_t rounds = 0;
  for (unsigned i = 0; i < group.axes(); ++i) rounds += std::bit_width(group.axis_size(i) - 1);
  const auto semaphores = chip.allocate().regular_semaphores("barrier_round", rounds);
  std::uint64_t round = 0;
  for (unsigned i = 0; i < group.axes(); ++i) {
    const Ring ring = group.ring(i);
    for (std::uint64_t distance = 1; distance < ring.members.size(); distance *= 2) {
      chip.signal(semaphores[round], ring.members[(ring.position + distance) % ring.members.size()]);
      co_await chip.wait(semaphores[round++]);
    }
  }
}

}  // namespace podsim::firmware
