// Copies that leave no chip, within HBM and to the host and back, and a pass of the vector unit to have beside them.
#pragma once

#include "firmware/device/device.h"

namespace podsim::firmware {

// Also from and to buffers in the host's memory.
Task local_copy(Device& chip, Buffer in, Buffer out);

// `in` to host memory, and from there to `out`: how activations are offloaded.
Task host_offload(Device& chip, Buffer in, Buffer out);

// One pass over the data that leaves it as it is, out = max(in, in): stands for a layer that is bound by memory.
Task vector_pass(Device& chip, Buffer in, Buffer out);

}  // namespace podsim::firmware
