#include "platform/run/figures.h"

namespace podsim::run {

using tensor_core::DType;
using tensor_core::Rate;

firmware::CoreFigures core_figures_of(const pod::ChipConfig& chip) {
  const tensor_core::TensorCoreConfig& core = chip.tensor_core;
  const auto number = [](Rate rate) { return static_cast<double>(rate.numerator) / rate.denominator; };
  const auto clock = static_cast<double>(core.clock.hertz);
  firmware::CoreFigures figures;
  figures.cores = chip.tensor_cores;
  figures.mxus = core.mxu_count;
  figures.mxu_rows = core.mxu_rows;
  figures.mxu_columns = core.mxu_columns;
  figures.weight_load_cycles = (core.mxu_rows + core.mxu_weight_rows - 1) / core.mxu_weight_rows;
  const double cells = static_cast<double>(core.mxu_count) * core.mxu_rows * core.mxu_columns;
  const double alus = static_cast<double>(core.vpu_lanes) * core.vpu_sublanes * core.vpu_alus;
  const auto set = [&](DType type, double mxu, Rate vpu) {
    const auto i = static_cast<std::size_t>(type);
    figures.mxu_peak[i] = 2 * cells * clock * mxu;
    figures.mxu_rows_per_second[i] = clock * mxu * number(core.mxu_sustained);
    figures.vpu_peak[i] = alus * clock * number(vpu);
  };
  set(DType::kF32, number(core.mxu_f32_rate), core.vpu_f32_rate);
  set(DType::kBf16, number(core.mxu_bf16_rate), core.vpu_bf16_rate);
  set(DType::kS32, 0, core.vpu_s32_rate);
  set(DType::kS8, number(core.mxu_s8_rate), core.vpu_s8_rate);
  set(DType::kF8, number(core.mxu_f8_rate), core.vpu_f32_rate);
  figures.exp_operations = 2 + core.vpu_alus;  // a subtraction, a product, and a pass through one ALU's lanes
  figures.hbm = chip.hbm.bandwidth;
  figures.vmem = chip.vmem.bandwidth;
  figures.vmem_capacity = chip.vmem.capacity.bytes;
  figures.launch = core.kernel_launch.ps;
  return figures;
}

}  // namespace podsim::run
