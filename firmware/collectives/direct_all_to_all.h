// Direct all-to-all: each member sends each other one its block in one copy, and the routers do the rest. Against
// passing bundles from neighbour to neighbour (all_to_all.h) nothing waits at a hop, and blocks travel all axes at
// once; the floor is the same, m N k/(8 b) on an even torus (m bytes a pair; bytes x distance over links).
#pragma once

#include "firmware/collectives/group.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

struct DirectOptions {
  unsigned window = 0;     // copies that may be on their way out of a chip at a time; 0: all of them
  std::uint64_t seed = 0;  // of the order in which each chip sends to the others (send_order.h)
};

// Buffers as in all_to_all.h. No barrier needed before.
Task direct_all_to_all(Device& chip, Group group, DirectOptions options, Buffer in, Buffer out);

}  // namespace podsim::firmware
