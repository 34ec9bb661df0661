// Strong index types shared by the blocks: an index of one kind can't be passed where another is meant.
#pragma once

#include <cstdint>

namespace podsim {

// A chip's position in its pod, 0 .. chips-1, first axis fastest.
enum class ChipId : std::uint32_t {};

constexpr std::uint32_t index(ChipId chip) { return static_cast<std::uint32_t>(chip); }

}  // namespace podsim
