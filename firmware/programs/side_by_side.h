// Several programs at the same time on one chip, such as a collective with a permute in the background. They share what
// the chip has: the core's contexts, DMA engines, links.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "firmware/device/device.h"

namespace podsim::firmware {

// Starts the programs from the last to the first, so that those in the background take their memory and semaphores
// before the first one begins to wait, and ends when all have ended. `ended(i)` is called at the end of the i-th.
Task side_by_side(Device& chip, std::vector<Task> programs, std::function<void(std::size_t)> ended);

// A program behind a token of that name, which is waited for at once.
Task as_token(Device& chip, Task program, std::string name);

}  // namespace podsim::firmware
