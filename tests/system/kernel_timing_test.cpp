// Times of kernels: against measurements, against worked problems, and never better than the roofline.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "models/kernel/random.h"
#include "platform/config/layers.h"
#include "platform/config/pod_reader.h"
#include "platform/run/figures.h"
#include "platform/run/run_file.h"

namespace podsim {
namespace {

using firmware::DType;
using firmware::KernelCall;
using firmware::KernelKind;

const std::filesystem::path kRoot = PODSIM_SOURCE_DIR;

pod::PodConfig one_chip(const std::string& chip) {
  pod::PodConfig pod;
  pod.chip = config::read_chip(chip, kRoot).chip;
  pod.topology.axes = {{"x", 1, pod::Wrap::kNo}};
  return pod;
}

KernelCall matmul(DType type, std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  KernelCall call;
  call.type = call.result = type;
  call.m = m;
  call.k = k;
  call.n = n;
  return call;
}

run::StepResult run_kernel(run::Runner& runner, const KernelCall& call) {
  run::Step step;
  step.name = kernel_name(call.kind);
  step.kernel = call;
  const run::StepResult result = runner.run(step);
  EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
  return result;
}

double seconds(Picoseconds time) { return static_cast<double>(time) * 1e-12; }

struct Row {
  std::uint64_t size;
  double tflops;
  bool fitted;
};
std::vector<Row> reference() {
  std::ifstream file(kRoot / "tests/reference/tpu7x_gemm.csv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line[0] == 's') continue;
    std::istringstream fields(line);
    std::string size, tflops, fitted;
    std::getline(fields, size, ',');
    std::getline(fields, tflops, ',');
    std::getline(fields, fitted, ',');
    rows.push_back({std::stoull(size), std::stod(tflops), fitted == "yes"});
  }
  return rows;
}

TEST(KernelTiming, MatmulsOfATpu7xAreAsMeasured) {
  const auto document = config::load(kRoot / "configs/runs/matmul-tpu7x.yaml", kRoot, {});
  const run::RunFile file = run::read_run(document);
  pod::Pod pod(file.pod, /*with_data=*/false);
  run::RunOptions options;
  options.checks = run::CheckLevel::kNone;
  run::Runner runner(pod, options);
  std::vector<double> errors;
  const std::vector<Row> rows = reference();
  ASSERT_EQ(rows.size(), 8u);
  for (const Row& row : rows) {
    const run::StepResult result = run_kernel(runner, matmul(DType::kBf16, row.size, row.size, row.size));
    const double error = result.kernels->tflops / row.tflops - 1;
    EXPECT_LE(std::abs(error), 0.15) << row.size << ": " << result.kernels->tflops << " TFLOP/s";
    if (!row.fitted) errors.push_back(std::abs(error));
  }
  std::sort(errors.begin(), errors.end());
  EXPECT_LE(errors[errors.size() / 2], 0.05);
}

// No kernel does more than its units can, or moves its operands faster than HBM: each operand must come once, and the
// result go once.
class Roofline : public ::testing::TestWithParam<const char*> {};

TEST_P(Roofline, IsNeverBeaten) {
  const pod::PodConfig config = one_chip(GetParam());
  const firmware::CoreFigures core = run::core_figures_of(config.chip);
  pod::Pod pod(config, /*with_data=*/false);
  run::RunOptions options;
  options.checks = run::CheckLevel::kNone;
  run::Runner runner(pod, options);
  kernel::Random random(2024);
  const auto extent = [&] { return 1 + random.below(std::uint64_t{1} << (1 + random.below(12))); };
  for (int i = 0; i < 60; ++i) {
    KernelCall call;
    call.kind = static_cast<KernelKind>(random.below(5));
    const DType types[] = {DType::kBf16, DType::kF32, DType::kF8, DType::kS8};
    const bool products = call.kind == KernelKind::kMatmul || call.kind == KernelKind::kAttention;
    const bool any = call.kind != KernelKind::kAttention && call.kind != KernelKind::kSoftmax;
    call.type = call.result = types[random.below(any ? 4 : 3)];
    call.m = call.kind == KernelKind::kElementwise ? 1 : extent();
    call.n = extent();
    call.k = products ? (call.kind == KernelKind::kAttention ? 1 + random.below(256) : extent()) : 1;
    call.operation = call.kind == KernelKind::kReduce ? tensor_core::Opcode::kRowSum : tensor_core::Opcode::kAdd;
    if (call.kind == KernelKind::kReduce) call.result = tensor_core::sum_type(call.type);
    if (call.kind == KernelKind::kMatmul && call.type == DType::kS8) call.result = DType::kS32;
    call.cores = 1 + static_cast<unsigned>(random.below(config.chip.tensor_cores));
    const run::StepResult result = run_kernel(runner, call);
    const std::string what = std::string(kernel_name(call.kind)) + " of " + shape_text(call);
    const double peak = (products ? core.mxu_peak : core.vpu_peak)[static_cast<std::size_t>(call.type)] * call.cores;
    EXPECT_GE(seconds(result.time), flops_of(call) / peak / (call.kind == KernelKind::kSoftmax ? 5 : 1)) << what;
    const double bytes = static_cast<double>(input_elements(call) * tensor_core::size_of(call.type) +
                                             output_elements(call) * tensor_core::size_of(call.result));
    EXPECT_GE(seconds(result.time), bytes / static_cast<double>(core.hbm.bytes_per_second)) << what;
    for (const double share : {result.kernels->mxu_busy, result.kernels->vpu_busy, result.kernels->hbm_busy,
                               result.kernels->vmem_busy, result.kernels->hbm_share, result.kernels->peak_share}) {
      EXPECT_LE(share, 1.0) << what;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, Roofline,
                         ::testing::Values("tpu-v2", "tpu-v3", "tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu7x"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// "How to Scale Your Model", chapter on TPUs, question 4: [B, 4096] x [4096, 16384] in int8 on a v5e, from HBM
// at 8.1e11 B/s, 3.94e14 OP/s: the weights take 82.8 us, and the arithmetic as long at a batch of 240; with activations
// and results in int8, bound by arithmetic above 271.
TEST(KernelTiming, ABatchOfHundredsBecomesComputeBoundOnAV5e) {
  pod::Pod pod(one_chip("tpu-v5e"), /*with_data=*/false);
  run::Runner runner(pod);
  KernelCall small = matmul(DType::kS8, 64, 4096, 16384);
  KernelCall large = matmul(DType::kS8, 1024, 4096, 16384);
  EXPECT_EQ(run_kernel(runner, small).kernels->bound, "HBM");
  EXPECT_EQ(run_kernel(runner, large).kernels->bound, "MXU");
}

}  // namespace
}  // namespace podsim
