// The data of every kernel is right: kernel x type x size, sizes chosen to be awkward (one element, not a multiple of a
// tile, larger than VMEM), against a reference that works from the definition. All checks are on, so that shipped
// kernels have no hazard. The chip's VMEM is small, so that small problems are cut into many tiles.
#include <gtest/gtest.h>

#include "platform/run/apart.h"
#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::DType;
using firmware::KernelCall;
using firmware::KernelKind;
using tensor_core::Opcode;

pod::PodConfig small_chip(unsigned cores = 1) {
  pod::PodConfig config = testing::pod_config({{1}, false});
  config.chip.tensor_core.mxu_rows = config.chip.tensor_core.mxu_columns = 8;
  config.chip.vmem.capacity = ByteSize{64 * kKiB * cores};
  config.chip.tensor_cores = cores;
  return config;
}

run::Step step_of(const KernelCall& call) {
  run::Step step;
  step.name = kernel_name(call.kind);
  step.kernel = call;
  return step;
}

class KernelData : public ::testing::Test {
 protected:
  // One pod a process. The first kernel makes one with a single core unless there is one.
  void use(const pod::PodConfig& config) {
    pod_ = std::make_unique<pod::Pod>(config, /*with_data=*/true);
    run::RunOptions options;
    options.checks = run::CheckLevel::kAll;
    runner_ = std::make_unique<run::Runner>(*pod_, options);
  }
  run::StepResult expect_right(const KernelCall& call) {
    if (pod_ == nullptr) use(small_chip());
    const run::StepResult result = runner_->run(step_of(call));
    EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << kernel_name(call.kind) << " of " << shape_text(call) << " "
                                                        << run::name(call.type) << ": " << result.explanation;
    EXPECT_EQ(result.wrong, 0u);
    return result;
  }

  std::unique_ptr<pod::Pod> pod_;
  std::unique_ptr<run::Runner> runner_;
};

KernelCall call_of(KernelKind kind, DType type, DType result, std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  KernelCall call;
  call.kind = kind;
  call.type = type;
  call.result = result;
  call.m = m;
  call.k = k;
  call.n = n;
  return call;
}

constexpr std::uint64_t kProducts[][3] = {{1, 1, 1},   {1, 9, 1},      {7, 1, 5},      {8, 8, 8},
                                          {17, 33, 9}, {100, 60, 130}, {65, 300, 257}, {200, 200, 200}};

class MatmulData : public KernelData, public ::testing::WithParamInterface<std::pair<DType, DType>> {};

TEST_P(MatmulData, IsRight) {
  const auto [type, result] = GetParam();
  for (const auto& [m, k, n] : kProducts) {
    KernelCall call = call_of(KernelKind::kMatmul, type, result, m, k, n);
    expect_right(call);
    call.tiles = {24, 16, 40};  // edges on all sides, many steps
    expect_right(call);
    call.buffers = 3;
    call.tiles = {8, 1000, 8};  // k in one tile: operands stay
    expect_right(call);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, MatmulData,
                         ::testing::Values(std::pair{DType::kBf16, DType::kBf16}, std::pair{DType::kBf16, DType::kF32},
                                           std::pair{DType::kF32, DType::kF32}, std::pair{DType::kF8, DType::kBf16},
                                           std::pair{DType::kF8, DType::kF8}, std::pair{DType::kS8, DType::kS32},
                                           std::pair{DType::kS8, DType::kS8}),
                         [](const auto& parameter) {
                           return std::string(run::name(parameter.param.first)) + "_to_" +
                                  std::string(run::name(parameter.param.second));
                         });

TEST_F(KernelData, Elementwise) {
  for (const DType type : {DType::kF32, DType::kBf16, DType::kS32, DType::kS8, DType::kF8}) {
    for (const Opcode op : {Opcode::kAdd, Opcode::kMultiply, Opcode::kMax, Opcode::kMin}) {
      for (const std::uint64_t n : {1u, 3u, 1000u, 40'001u}) {
        KernelCall call = call_of(KernelKind::kElementwise, type, type, 1, 1, n);
        call.operation = op;
        expect_right(call);
        call.tiles.n = 777;
        expect_right(call);
      }
    }
  }
}

TEST_F(KernelData, Reduce) {
  for (const DType type : {DType::kF32, DType::kBf16, DType::kS32, DType::kS8, DType::kF8}) {
    for (const Opcode op : {Opcode::kRowSum, Opcode::kRowMax}) {
      // The last has rows that VMEM has no room for.
      const std::uint64_t sizes[][2] = {{1, 1}, {5, 1}, {1, 7}, {33, 129}, {3, 40'001}};
      for (const auto& [rows, columns] : sizes) {
        KernelCall call = call_of(KernelKind::kReduce, type, tensor_core::sum_type(type), rows, 1, columns);
        call.operation = op;
        expect_right(call);
        call.tiles = {2, 0, 50};
        expect_right(call);
      }
    }
  }
}

TEST_F(KernelData, Softmax) {
  const std::pair<DType, DType> types[] = {{DType::kF32, DType::kF32},
                                           {DType::kBf16, DType::kBf16},
                                           {DType::kF8, DType::kBf16},
                                           {DType::kBf16, DType::kF32}};
  for (const auto& [type, result] : types) {
    const std::uint64_t sizes[][2] = {{1, 1}, {5, 1}, {1, 7}, {33, 129}, {3, 20'001}};
    for (const auto& [rows, columns] : sizes) {
      KernelCall call = call_of(KernelKind::kSoftmax, type, result, rows, 1, columns);
      expect_right(call);
      call.tiles = {2, 0, 50};  // two passes
      expect_right(call);
    }
  }
}

TEST_F(KernelData, Attention) {
  const std::pair<DType, DType> types[] = {
      {DType::kF32, DType::kF32}, {DType::kBf16, DType::kBf16}, {DType::kF8, DType::kBf16}};
  for (const auto& [type, result] : types) {
    const std::uint64_t sizes[][3] = {{1, 1, 1}, {3, 8, 5}, {33, 16, 70}, {20, 7, 129}};  // queries, head_dim, keys
    for (const auto& [m, k, n] : sizes) {
      for (const std::uint64_t heads : {1u, 3u}) {
        KernelCall call = call_of(KernelKind::kAttention, type, result, m, k, n);
        call.heads = heads;
        expect_right(call);
        call.tiles = {8, 0, 16};
        expect_right(call);
      }
    }
  }
}

TEST_F(KernelData, BothTensorCoresShareTheWork) {
  use(small_chip(2));
  for (const KernelKind kind : {KernelKind::kMatmul, KernelKind::kElementwise, KernelKind::kReduce,
                                KernelKind::kSoftmax, KernelKind::kAttention}) {
    for (const std::uint64_t size : {1u, 90u}) {  // of one tile, one core has nothing to do
      KernelCall call = call_of(kind, DType::kF32, DType::kF32, size, 17, size);
      call.operation = kind == KernelKind::kReduce ? Opcode::kRowSum : Opcode::kAdd;
      if (kind == KernelKind::kElementwise) call.m = 1;
      call.cores = 2;
      expect_right(call);
      call.tiles = {kind == KernelKind::kElementwise ? 0u : 16u, 0, 24};
      expect_right(call);
    }
  }
}

TEST_F(KernelData, TheSameRunHasTheSameTimeWithAndWithoutData) {
  const KernelCall call = call_of(KernelKind::kMatmul, DType::kBf16, DType::kBf16, 65, 300, 257);
  const auto without_data = run::do_apart({[&] {
    pod::Pod pod(small_chip(), /*with_data=*/false);
    return std::to_string(run::Runner(pod).run(step_of(call)).time);
  }});
  EXPECT_EQ(std::to_string(expect_right(call).time), without_data.front());
}

}  // namespace
}  // namespace podsim
