// What a collective would take by each algorithm: the formulas of docs/collectives.md with the chip's figures. Good
// enough to choose by, and for nothing else: contention, memory and the vector unit are left out.
#pragma once

#include "firmware/collectives/call.h"
#include "firmware/device/allocator.h"

namespace podsim::firmware {

// `algorithm` serves the call's kind.
[[nodiscard]] Picoseconds estimated_time(const CollectiveCall& call, Algorithm algorithm, const ici::TorusShape& torus,
                                         const Figures& figures);

// The algorithm that carries the call out: the call's own, or, for kAuto, the one with the shortest estimated time.
[[nodiscard]] Algorithm chosen_algorithm(const CollectiveCall& call, const ici::TorusShape& torus,
                                         const Figures& figures);

}  // namespace podsim::firmware
