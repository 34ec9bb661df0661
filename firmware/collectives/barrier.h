// Barrier among neighbours: returns when each of `neighbours` has come here too.
//
// It is a double barrier. With a single one, a fast neighbour could leave, run through its kernel, come back and signal
// again before a slow neighbour has signalled once: two signals from one side would pass for one from each. The second
// round, on a semaphore of its own, keeps everyone until all have seen the first.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/device/device.h"

namespace podsim::firmware {

// Every chip names those that name it. `collective_id` chooses the barrier semaphore; `second_round` comes from the same
// allocation on every chip.
Task barrier(Device& chip, std::vector<ChipId> neighbours, std::uint32_t collective_id, RegularSemaphore second_round);

}  // namespace podsim::firmware
