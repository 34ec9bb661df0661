// Figures of a chip's TensorCores and memory by which a kernel may choose its tiles. As with Figures (allocator.h), the
// platform works them out from the chip's configuration.
#pragma once

#include <array>

#include "models/kernel/units.h"
#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::firmware {

struct CoreFigures {
  unsigned cores = 1;  // TensorCores of the chip
  // Of each core's matrix units: systolic arrays of so many rows and columns, and the cycles to load one with weights.
  std::uint32_t mxus = 1;
  std::uint32_t mxu_rows = 128;
  std::uint32_t mxu_columns = 128;
  std::uint32_t weight_load_cycles = 128;
  // By DType, of one core: rows of operands that an array takes in a second, at the sustained rate; FLOP/s at the peak;
  // operations of the vector unit in a second.
  std::array<double, tensor_core::kDTypes> mxu_rows_per_second{};
  std::array<double, tensor_core::kDTypes> mxu_peak{};
  std::array<double, tensor_core::kDTypes> vpu_peak{};
  double exp_operations = 6;  // of the vector unit, for an exp of a difference
  Bandwidth hbm;              // of the chip
  Bandwidth vmem;             // of the chip
  Bytes vmem_capacity = 0;    // of the chip
  Picoseconds launch = 0;     // of a kernel
};

}  // namespace podsim::firmware
