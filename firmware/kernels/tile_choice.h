// Chooses a kernel's tiles: of all that fit into VMEM, those with which an estimate of the kernel's time is least. The
// estimate knows the arrays' shape (folds that are not full, weights that load behind too few rows), how often the
// loops read each operand, and what does not overlap: the first tiles in and the last one out. It only ever serves to
// choose; times come from running the kernel.
#pragma once

#include "firmware/device/core_figures.h"
#include "firmware/kernels/kernel_call.h"

namespace podsim::firmware {

// The call with all of its tiles, and `choice` saying why. Tiles that the caller gave are kept, cut to the size of the
// problem. `vmem`: what a core may use. Throws OutOfResources if no tiles fit.
[[nodiscard]] KernelCall with_tiles(KernelCall call, const CoreFigures& core, Bytes vmem);

}  // namespace podsim::firmware
