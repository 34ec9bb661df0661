// By how much the chips of a pod may run ahead of each other while a step is carried out (models/kernel/conductor.h).
#pragma once

#include "platform/pod/pod.h"
#include "platform/run/step.h"

namespace podsim::run {

// The time that anything takes from one chip to another, where chips act on each other over their own links alone: all
// copies go to neighbours. Credits come back over a link as well. 0 where they share more: a host, the map of copies
// under way on each other's links (burst fidelity, copies over several links), flows.
[[nodiscard]] Picoseconds lookahead_of(const Step& step, const pod::Pod& pod);

}  // namespace podsim::run
