// Barriers.
//
// The one among neighbours is a double barrier. With a single one, a fast neighbour could leave, run through its
// kernel, come back and signal again before a slow neighbour has signalled once: two signals from one side would pass
// for one from each. The second round, on a semaphore of its own, keeps everyone until all have seen the first.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/collectives/group.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

// Returns when each of `neighbours` has come here too. Every chip names those that name it. `collective_id` chooses the
// barrier semaphore; `second_round` comes from the same allocation on every chip.
Task barrier(Device& chip, std::vector<ChipId> neighbours, std::uint32_t collective_id, RegularSemaphore second_round);

// Returns when all members of the group have come here: dissemination along each axis in turn, sum of log2 k_i rounds
// (Hensgen, Finkel and Manber 1988). A round's semaphore is taken for this call alone and has one chip that signals it,
// so a signal that comes early is kept and can't be mistaken for another.
Task group_barrier(Device& chip, Group group);

}  // namespace podsim::firmware
