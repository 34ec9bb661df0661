// Modules on pods: what is hidden and what exposed, that the parts of a step add up, that schedules keep what they
// promise, and that data is right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "firmware/device/errors.h"
#include "firmware/module/builder.h"
#include "firmware/workloads/workload.h"
#include "platform/report/module_text.h"
#include "platform/report/run_record.h"
#include "platform/run/module_result.h"
#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::DType;
using firmware::Module;
using firmware::ModuleBuilder;
using firmware::Value;
using run::ScheduleMode;

run::Step step_of(Module module, const run::ScheduleOptions& options = {}) {
  run::Step step;
  step.name = module.name;
  step.module = std::make_shared<const run::ModuleStep>(run::ModuleStep{std::move(module), options});
  return step;
}

// A pod that modules are built for and run on; one a process.
class ModulePod {
 public:
  explicit ModulePod(const testing::Shape& shape, bool with_data = false)
      : config_(testing::pod_config(shape)), pod_(config_, with_data), runner_(pod_) {}

  [[nodiscard]] const ici::TorusShape& torus() const { return pod_.torus(); }
  [[nodiscard]] const pod::Pod& pod() const { return pod_; }
  run::StepResult run(Module module, const run::ScheduleOptions& options = {}) {
    run::StepResult result = runner_.run(step_of(std::move(module), options));
    EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
    return result;
  }

 private:
  pod::PodConfig config_;
  pod::Pod pod_;
  run::Runner runner_;
};

constexpr ici::Axis kX = static_cast<ici::Axis>(0);

// An all-gather, so many products that don't need it, then one that does.
Module gather_beside_work(const ici::TorusShape& torus, unsigned products, std::uint64_t m = 1024) {
  ModuleBuilder b("gather", torus);
  const Value x = b.parameter("x", {{m, 1024}, DType::kBf16});
  const Value w = b.parameter("w", {{1024, 1024}, DType::kBf16});
  const Value shard = b.parameter("shard", {{1024, 1024}, DType::kBf16});
  const Value whole = b.all_gather("whole", shard, 0, {kX});
  for (unsigned i = 0; i < products; ++i) b.matmul("work " + std::to_string(i), x, w);
  b.wait(whole);
  return b.finish();
}

const run::TransferFigures& only(const std::vector<run::TransferFigures>& transfers) {
  EXPECT_EQ(transfers.size(), 1u);
  return transfers.front();
}

TEST(Overlap, WithoutWorkInBetweenAllIsExposed) {
  ModulePod pod({{4}});
  const run::StepResult result = pod.run(gather_beside_work(pod.torus(), 0));
  const auto transfer = only(result.module->transfers());
  EXPECT_EQ(transfer.hidden, 0);
  EXPECT_GE(transfer.exposed, result.module->durations[transfer.instruction]);
  EXPECT_LE(transfer.exposed, result.time);
}

TEST(Overlap, WithEnoughWorkOnlyStartAndDoneAreExposed) {
  ModulePod pod({{4}});
  const run::StepResult result = pod.run(gather_beside_work(pod.torus(), 40));
  const auto transfer = only(result.module->transfers());
  // The core's own time to start a task and to find it done: some cycles.
  EXPECT_LE(transfer.exposed, 100'000);
  EXPECT_GT(transfer.hidden, 0);
}

// The exposed part is the transfer's own time, taken alone, less that of the work beside it, which contention makes
// longer.
class PartlyHidden : public ::testing::TestWithParam<unsigned> {};
TEST_P(PartlyHidden, MatchesTheDifference) {
  ModulePod pod({{4}});
  const run::StepResult result = pod.run(gather_beside_work(pod.torus(), GetParam()));
  const run::Durations& alone = result.module->durations;
  const auto transfer = only(result.module->transfers());
  Picoseconds work = 0, work_alone = 0;
  for (std::size_t at = 0; at < result.module->plan.order.size(); ++at) {
    const firmware::Slot& slot = result.module->plan.order[at];
    if (slot.kind != firmware::Slot::Kind::kRun) continue;
    work += result.module->chips[index(transfer.chip)].slots[at].length();
    work_alone += alone[slot.instruction];
  }
  EXPECT_GE(work, work_alone);
  const Picoseconds expected = alone[transfer.instruction] - work;
  ASSERT_GT(expected, 0) << "more work than the transfer takes";
  EXPECT_NEAR(static_cast<double>(transfer.exposed), static_cast<double>(expected),
              0.03 * static_cast<double>(alone[transfer.instruction]));
}
INSTANTIATE_TEST_SUITE_P(Products, PartlyHidden, ::testing::Values(1, 2, 3));

TEST(Modules, TheStepsPartsAddUpOnEveryChip) {
  ModulePod pod({{4, 2}});
  const firmware::WorkloadCall call{
      .model = firmware::find_model("tiny"), .layers = 2, .tokens = 64, .overlapped = true};
  const run::StepResult result =
      pod.run(firmware::fsdp(call, pod.torus()), {.mode = ScheduleMode::kLatencyHiding, .in_flight = 3, .memory = {}});
  for (std::uint32_t c = 0; c < 8; ++c) {
    const run::StepBreakdown parts = result.module->breakdown(static_cast<ChipId>(c));
    EXPECT_EQ(parts.compute.all() + parts.communication.all() + parts.host.all() + parts.context + parts.issue,
              parts.total)
        << c;
    EXPECT_GT(parts.compute.alone, 0);
  }
}

TEST(Modules, EveryKindOfInstructionGivesTheRightData) {
  ModulePod pod({{2, 2}}, /*with_data=*/true);
  ModuleBuilder b("all kinds", pod.torus());
  const Value x = b.parameter("x", {{16, 32}, DType::kF32});
  const Value w = b.parameter("w", {{8, 64}, DType::kF32});
  const Value whole = b.all_gather("whole", w, 0, {});    // [32, 64]
  const Value inner = b.all_gather("inner", x, 1, {kX});  // [16, 64], along an inner dimension
  const Value y = b.matmul("y", x, whole);                // [16, 64]
  const Value sum = b.all_reduce("sum", y, {});
  const Value part = b.reduce_scatter("part", y, 1, {kX});     // [16, 32], along an inner dimension
  const Value turned = b.all_to_all("turned", sum, 1, 0, {});  // [64, 16]
  const Value out = b.host_out("out", turned);
  const Value back = b.host_in("back", out);
  b.elementwise("again", tensor_core::Opcode::kAdd, back, turned);
  b.elementwise("both", tensor_core::Opcode::kMultiply, b.permute("next", part, kX, 1), x);
  b.concat("all", {inner, sum});
  const run::StepResult result = pod.run(b.finish());
  EXPECT_EQ(result.wrong, 0u) << result.explanation;
}

struct WorkloadCase {
  const char* name;
  testing::Shape shape;
  std::vector<ici::Axis> axes{};
  std::uint64_t tokens = 64;
};

class ShippedWorkload : public ::testing::TestWithParam<WorkloadCase> {
 protected:
  static firmware::Module build(const ici::TorusShape& torus, bool overlapped) {
    const firmware::WorkloadCall call{.model = firmware::find_model("tiny"),
                                      .layers = 2,
                                      .tokens = GetParam().tokens,
                                      .overlapped = overlapped,
                                      .axes = GetParam().axes};
    return firmware::find_workload(GetParam().name)->build(call, torus);
  }
};

TEST_P(ShippedWorkload, RunsWithRightDataInEveryMode) {
  ModulePod pod(GetParam().shape, /*with_data=*/true);
  for (const bool overlapped : {false, true}) {
    for (const ScheduleMode mode : {ScheduleMode::kSync, ScheduleMode::kAsWritten, ScheduleMode::kLatencyHiding}) {
      const run::StepResult result =
          pod.run(build(pod.torus(), overlapped), {.mode = mode, .in_flight = 3, .memory = {}});
      EXPECT_EQ(result.wrong, 0u) << result.explanation;
    }
  }
}

TEST_P(ShippedWorkload, LatencyHidingIsNeverSlowerAndNothingBeatsItsBounds) {
  ModulePod pod(GetParam().shape);
  for (const bool overlapped : {false, true}) {
    Picoseconds times[3] = {};
    for (const ScheduleMode mode : {ScheduleMode::kSync, ScheduleMode::kAsWritten, ScheduleMode::kLatencyHiding}) {
      run::StepResult result = pod.run(build(pod.torus(), overlapped), {.mode = mode, .in_flight = 16, .memory = {}});
      times[static_cast<int>(mode)] = result.time;
      const report::StepRecord record = report::record_step(pod.pod(), std::move(result));
      EXPECT_LE(report::bounds_of(record).most(), 1.0);
    }
    // A memory remembers what it was last asked for, so the same order takes some nanoseconds more or less.
    EXPECT_LE(static_cast<double>(times[2]), 1.001 * static_cast<double>(times[1]))
        << (overlapped ? "overlapped" : "naive");
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShippedWorkload,
                         ::testing::Values(WorkloadCase{"data_parallel", {{2, 2}}}, WorkloadCase{"fsdp", {{4, 2}}},
                                           WorkloadCase{"tensor_parallel", {{4}}},
                                           WorkloadCase{"collective_matmul", {{4}}},
                                           WorkloadCase{"mixture_of_experts", {{4}}},
                                           WorkloadCase{"mixture_of_experts", {{4, 2}}},
                                           WorkloadCase{"ring_attention", {{4}}}, WorkloadCase{"pipeline", {{4}}},
                                           WorkloadCase{"activation_offload", {{2}}}),
                         [](const auto& info) { return std::string(info.param.name) + "_" + info.param.shape.name(); });

TEST(Modules, TooLargeForTheChipIsAnError) {
  ModulePod pod({{2}});
  ModuleBuilder b("large", pod.torus());
  const Value a = b.parameter("a", {{1 << 20, 4096}, DType::kBf16});
  b.all_gather("whole", a, 0, {});
  EXPECT_THROW((void)pod.run(b.finish()), firmware::OutOfResources);
}

}  // namespace
}  // namespace podsim
