// Runs kernels: what a program calls, and what kernels have in common.
#pragma once

#include "firmware/device/device.h"
#include "firmware/kernels/kernel_call.h"
#include "firmware/kernels/tiled_matrix.h"

namespace podsim::firmware {

// `call` has its tiles (tile_choice.h). All chips run on their own; `in` and `out` are as kernel_call.h says. The task
// allocates when it is first awaited or started. Throws ProgramError for a call that no kernel can carry out, and
// OutOfResources when the tiles don't fit into VMEM.
[[nodiscard]] Task run_kernel(Device& chip, KernelCall call, Operands in, Buffer out);

// How a call's operands lie in `in`, and its result in `out`.
[[nodiscard]] std::vector<TiledMatrix> kernel_operands(const KernelCall& call, const Operands& in);
[[nodiscard]] TiledMatrix kernel_result(const KernelCall& call, const Buffer& out);

// The time from the call of a kernel to its first instruction.
[[nodiscard]] DelayAwaitable launch_delay(Device& chip);

// A copy in as many descriptors as it takes to keep HBM busy with one copy alone; `done` counts the bytes of all.
void start_split_copy(Device& chip, const Buffer& src, const Buffer& dst, DmaSemaphore done,
                      Where where = Where::current());

}  // namespace podsim::firmware
