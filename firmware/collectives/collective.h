// One entry for all collectives: the buffers that a call needs, and the program that carries it out.
#pragma once

#include <optional>

#include "firmware/collectives/call.h"
#include "firmware/collectives/group.h"
#include "firmware/device/device.h"

namespace podsim::firmware {

// The group that a chip is in; none if the call lists groups and the chip is in none of them. The call and the torus
// outlive it.
[[nodiscard]] std::optional<Group> group_of(const CollectiveCall& call, const ici::TorusShape& torus, ChipId chip);
// Chips in a group (of the largest).
[[nodiscard]] std::uint64_t group_size(const CollectiveCall& call, const ici::TorusShape& torus);

// Elements of a call's two buffers on one chip.
struct CallSizes {
  std::uint64_t in = 0;
  std::uint64_t out = 0;
};
[[nodiscard]] CallSizes call_sizes(const CollectiveCall& call, const ici::TorusShape& torus, ChipId chip);

// Carries the call out on one chip. `in` and `out` have the sizes that call_sizes() gives, at addresses that are the
// same on every chip, and do not overlap.
Task run_collective(Device& chip, CollectiveCall call, Buffer in, Buffer out, Where where = Where::current());

// The same beside the caller: the call counts from here on, in the order of the chip's calls, and the token resolves
// when it has been carried out.
// With a name, the token's times are kept (Device::token_times()).
Token start_collective(Device& chip, const CollectiveCall& call, Buffer in, Buffer out, Where where = Where::current(),
                       std::string name = {});

}  // namespace podsim::firmware
