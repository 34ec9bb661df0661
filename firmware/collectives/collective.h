// One entry for all collectives: the buffers that a call needs, and the program that carries it out.
#pragma once

#include "firmware/collectives/call.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

// Elements of a call's two buffers on one chip.
struct CallSizes {
  std::uint64_t in = 0;
  std::uint64_t out = 0;
};
[[nodiscard]] CallSizes call_sizes(const CollectiveCall& call, const ici::TorusShape& torus, ChipId chip);

// Carries the call out on one chip. `in` and `out` have the sizes that call_sizes() gives, at addresses that are the same
// on every chip, and do not overlap.
Task run_collective(Device& chip, CollectiveCall call, Buffer in, Buffer out);

}  // namespace podsim::firmware
