// Work for a chip's vector unit that has nothing to do with what the chips send each other, such as a layer of a model:
// something for a collective to hide behind.
#pragma once

#include "firmware/device/device.h"

namespace podsim::firmware {

// Adds two buffers of `elements` f32 in HBM, `passes` times, one after the other.
Task vector_work(Device& chip, std::uint64_t elements, unsigned passes);

}  // namespace podsim::firmware
