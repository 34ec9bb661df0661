// Kernels of the vector unit: elementwise, reduce and softmax. Each cuts its rows among the cores, and streams tiles of
// m rows and n columns (stream.h), a row of tiles from left to right.
//
//   elementwise  one row; a command a tile
//   reduce       a command a tile, that starts from the result of the tile to the left
//   softmax      rows that fit into a tile: maximum, exp, sum, quotient. Longer ones are read twice: first for the
//   maximum
//                and the sum, which is scaled to each new maximum, then for the quotients.
#pragma once

#include "firmware/device/device.h"
#include "firmware/kernels/kernel_call.h"
#include "firmware/kernels/tiled_matrix.h"

namespace podsim::firmware {

// VMEM that a core needs for it, with tiles of that size.
[[nodiscard]] Bytes vector_kernel_vmem(const KernelCall& call, const Tiles& tiles);

// `call` has its tiles. Throws OutOfResources.
[[nodiscard]] Task run_vector_kernel(Device& chip, KernelCall call, Operands in, Buffer out);

}  // namespace podsim::firmware
