// Collective permute: each source sends its buffer to its target. A chip that is nobody's target ends with zeros.
#pragma once

#include <utility>
#include <vector>

#include "firmware/device/device.h"

namespace podsim::firmware {

// Each chip is at most once a source and at most once a target; throws ProgramError otherwise. Call on every chip that
// is in a pair, and on those that want their zeros.
Task collective_permute(Device& chip, std::vector<std::pair<ChipId, ChipId>> pairs, Buffer in, Buffer out);

}  // namespace podsim::firmware
