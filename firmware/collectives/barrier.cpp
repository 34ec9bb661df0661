#include "firmware/collectives/barrier.h"

namespace podsim::firmware {

Task barrier(Device& chip, std::vector<ChipId> neighbours, std::uint32_t collective_id,
             RegularSemaphore second_round) {
  if (neighbours.empty()) co_return;
  const BarrierSemaphore first_round = chip.allocate().barrier_semaphore(collective_id);
  for (const ChipId neighbour : neighbours) chip.signal(first_round, neighbour);
  co_await chip.wait(first_round, neighbours.size());
  for (const ChipId neighbour : neighbours) chip.signal(second_round, neighbour);
  co_await chip.wait(second_round, neighbours.size());
}

}  // namespace podsim::firmware
