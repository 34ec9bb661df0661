// What a step's kernels need from the chip's figures before it runs, and what they made of its hardware afterwards.
#pragma once

#include <vector>

#include "platform/pod/pod.h"
#include "platform/run/step.h"

namespace podsim::run {

// The step with all tiles of its kernels chosen. What runs at the same time shares the VMEM. Throws
// firmware::OutOfResources when they don't fit, firmware::ProgramError for more cores than the chip has.
[[nodiscard]] Step with_tiles(Step step, const pod::ChipConfig& chip);

// TFLOP/s over `time`, the kernels' own; the rest from the counters of the chip that worked most, over `counted`, the
// time that they have counted for.
[[nodiscard]] KernelFigures figures_of_kernels(const pod::Pod& pod, std::vector<firmware::KernelCall> kernels,
                                               Picoseconds time, Picoseconds counted);

}  // namespace podsim::run
