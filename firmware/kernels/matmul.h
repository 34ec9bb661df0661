// out = a b, tile by tile, as a pipeline in which copies from HBM, products, conversions and copies back overlap:
//
//   HBM --copy--> a and b tiles in VMEM --MXU--> sums in VMEM --VPU, if the types differ--> result tile --copy--> HBM
//
// A tile of the result is summed over all of k before the next one is begun. Tiles of a and b have `buffers` places
// each; one that the next step uses again is not fetched again, the others are, as the order of the loops has it: a's
// once for every column of tiles, b's once for every row, unless k is one tile.
#pragma once

#include "firmware/device/device.h"
#include "firmware/kernels/kernel_call.h"
#include "firmware/kernels/tiled_matrix.h"

namespace podsim::firmware {

// A matmul's operands and result as they lie in HBM.
struct MatmulOperands {
  TiledMatrix a, b, out;
};
[[nodiscard]] MatmulOperands matmul_operands(const KernelCall& call, const Operands& in, const Buffer& out);

// VMEM that a core needs for it, with tiles of that size.
[[nodiscard]] Bytes matmul_vmem(const KernelCall& call, const Tiles& tiles);

// `call` has its tiles. Throws OutOfResources.
[[nodiscard]] Task run_matmul(Device& chip, KernelCall call, Operands in, Buffer out);

}  // namespace podsim::firmware
