// The order in which a direct all-to-all serves its destinations.
//
// Members send over the same offset at the same time, so all links of an axis and a direction are used alike. What is
// left is that no axis may have to wait for its turn: a DMA engine has some tens of copies under way, and these should
// load the axes as the whole all-to-all does. So offsets run diagonally through the group: the coordinate of the
// longest axis goes on with each step, each other one in strides of that before it, and by one more whenever that has
// been round. Each offset is followed by its opposite, for the links of the other direction.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/collectives/group.h"

namespace podsim::firmware {

// Offsets as places of the group, coordinate by coordinate modulo the axis: each but 0, once.
[[nodiscard]] std::vector<std::uint32_t> all_to_all_order(const Group& group);

// The rank of the member at an offset from this chip.
[[nodiscard]] std::uint64_t rank_at_offset(const Group& group, std::uint32_t offset);

}  // namespace podsim::firmware
