// out = softmax(q k^T / sqrt(d)) v of each head, without ever having all scores in memory: as flash attention does
// (Dao et al., 2022), a tile of queries goes through the tiles of keys and values with a running maximum and sum of
// each row, and scales what it has so far whenever the maximum grows.
//
//   scores = q k^T                 MXU      kept in f32
//   largest, powers, sum           VPU      powers = exp((scores - largest) / sqrt(d)), rounded to the operands' type
//   result = result * scale        VPU      scale = exp((largest before - largest) / sqrt(d))
//   result = result + powers v     MXU
//
// Each core works on two tiles of queries at a time, so that one's vector commands run beside the other's products.
#pragma once

#include "firmware/device/device.h"
#include "firmware/kernels/kernel_call.h"

namespace podsim::firmware {

// VMEM that a core needs for it, with tiles of m queries and n keys.
[[nodiscard]] Bytes attention_vmem(const KernelCall& call, const Tiles& tiles);

// `call` has its tiles. Throws OutOfResources.
[[nodiscard]] Task run_attention(Device& chip, KernelCall call, Operands in, Buffer out);

}  // namespace podsim::firmware
