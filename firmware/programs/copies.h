// Copies that leave no chip: within HBM, and to the host and back.
#pragma once

#include "firmware/device/device.h"

namespace podsim::firmware {

Task local_copy(Device& chip, Buffer in, Buffer out);

// `in` to host memory, and from there to `out`: how activations are offloaded.
Task host_offload(Device& chip, Buffer in, Buffer out);

}  // namespace podsim::firmware
