// What a TensorCore is made of. The defaults are a TPU v5e's core.
#pragma once

#include <cstdint>

#include "models/kernel/units.h"
#include "models/tensor_core/systolic_array.h"

namespace podsim::tensor_core {

// Speed of a number type relative to the unit's full rate, as a fraction: integers, so that times are exact.
struct Rate {
  std::uint32_t numerator = 1;
  std::uint32_t denominator = 1;
  auto operator<=>(const Rate&) const = default;
};

struct TensorCoreConfig {
  // 197 TFLOP/s bf16 per chip (cloud.google.com/tpu/docs/v5e) / (4 MXUs x 128 x 128 cells x 2 FLOP) = 1.503 GHz.
  Frequency clock{1'500'000'000};

  // Matrix units. "Each TensorCore has four matrix-multiply units (MXUs), a vector unit, and a scalar unit"
  // (cloud.google.com/tpu/docs/v5e); an MXU is a 128 x 128 systolic array on every TPU before v6e
  // (cloud.google.com/tpu/docs/system-architecture-tpu-vm).
  std::uint32_t mxu_count = 4;
  std::uint32_t mxu_rows = 128;
  std::uint32_t mxu_columns = 128;
  // Weights are double-buffered since TPU v1 (Jouppi et al., ISCA 2017, section 2).
  WeightLoad mxu_weight_load = WeightLoad::kHidden;
  Rate mxu_bf16_rate{1, 1};
  // 394 TOP/s int8 against 197 TFLOP/s bf16 (cloud.google.com/tpu/docs/v5e).
  Rate mxu_s8_rate{2, 1};
  // e4m3; before TPU7x it is widened to bf16 on its way in, and goes at its rate.
  Rate mxu_f8_rate{1, 1};
  // f32 is made of six bf16 products (XLA's precision HIGHEST, "bf16_6x").
  Rate mxu_f32_rate{1, 6};
  // Rows of weights that are loaded into an array in a cycle.
  std::uint32_t mxu_weight_rows = 1;
  // Share of the peak that products reach for long: the clock under the power that they draw.
  Rate mxu_sustained{1, 1};

  // Vector unit: 8 sublanes x 128 lanes with 4 independent ALUs each (jax-ml scaling-book, "How to think about TPUs").
  std::uint32_t vpu_lanes = 128;
  std::uint32_t vpu_sublanes = 8;
  std::uint32_t vpu_alus = 4;
  Rate vpu_f32_rate{1, 1};
  // The VPU has no bf16 arithmetic before v6e (Pallas TPU documentation): values are widened to f32 and go at its rate.
  Rate vpu_bf16_rate{1, 1};
  Rate vpu_s32_rate{1, 1};
  Rate vpu_s8_rate{1, 1};

  // From a kernel's call to its first instruction, on the chip: fitted to measurements where there are any.
  Duration kernel_launch{0};

  // No public figures for the four below. Issue cost is the prologue of the loop that a command stands for.
  std::uint32_t command_queue_depth = 8;
  std::uint32_t command_issue_cycles = 32;
  // Data is read, computed and written in bursts of this size. A multiple of four, so that no element is split.
  ByteSize vector_burst{64 * kKiB};
  // Bursts (pairs of operands) on their way in, and results on their way out, beside the burst that is being computed.
  std::uint32_t outstanding_bursts = 4;
};

}  // namespace podsim::tensor_core
