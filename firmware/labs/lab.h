// What a lab's program is written with. Read firmware/device/device.h first: its head says what a chip can do.
#pragma once

#include <vector>

#include "firmware/collectives/barrier.h"
#include "firmware/collectives/ring.h"
#include "firmware/device/device.h"
#include "firmware/programs/vector_work.h"

namespace podsim::firmware {

// One chip's program; the same runs on every chip of the ring. `ring.members` are the chips in order, `ring.position`
// is this chip's place among them. `in` and `out` lie at the same addresses on all chips.
using LabProgram = Task (*)(Device& chip, Ring ring, Buffer in, Buffer out);

[[nodiscard]] inline ChipId right_of(const Ring& ring) {
  return ring.members[(ring.position + 1) % ring.members.size()];
}
[[nodiscard]] inline ChipId left_of(const Ring& ring) {
  return ring.members[(ring.position + ring.members.size() - 1) % ring.members.size()];
}
// Both, for barrier(). In a ring of two they are the same chip.
[[nodiscard]] inline std::vector<ChipId> neighbours(const Ring& ring) { return {left_of(ring), right_of(ring)}; }

// Passes of vector_work in lab exposed: on a v5e about as long as its gather on four chips.
inline constexpr unsigned kLabWorkPasses = 18;

}  // namespace podsim::firmware
