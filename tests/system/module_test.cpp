// Modules on pods: what is hidden and what exposed, that the parts of a step add up, that schedules keep what they
// promise, and that data is right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

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
    EXPECT_EQ(parts.compute.all() + parts.communication.all() + parts.host.all() + parts.issue, parts.total) << c;
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
  try {
    (void)pod.run(b.finish());
    FAIL() << "it ran";
  } catch (const firmware::OutOfResources& error) {
    EXPECT_STREQ(error.what(),
                 "whole alone needs 24 GiB of HBM, of which 24 GiB are live at the same time; 16 GiB may be used");
  }
}

// Sums of rows are wider than what they sum: they must have the room that they take.
TEST(Modules, SumsOfRowsHaveRoomAndIntegersAreExact) {
  ModulePod pod({{2}}, /*with_data=*/true);
  ModuleBuilder b("sums", pod.torus());
  for (const DType type : {DType::kBf16, DType::kS8, DType::kS32}) {
    const std::string name(firmware::type_name(type));
    const Value a = b.parameter(name + " a", {{16, 64}, type});
    b.reduce(name + " sums", tensor_core::Opcode::kRowSum, a);
    b.elementwise(name + " twice", tensor_core::Opcode::kAdd, a, a);
  }
  const run::StepResult result = pod.run(b.finish());
  EXPECT_EQ(result.wrong, 0u) << result.explanation;
}

TEST(Modules, PageableHostMemoryTakesLonger) {
  ModulePod pod({{1}});
  Picoseconds times[2] = {};
  for (const bool pinned : {false, true}) {
    ModuleBuilder b("offload", pod.torus());
    const Value out = b.host_out("out", b.parameter("a", {{1 << 22}, DType::kBf16}), pinned);
    b.host_in("back", out);
    times[pinned ? 1 : 0] = pod.run(b.finish()).time;
  }
  EXPECT_GT(times[0], times[1] + times[1] / 10);
}

// As many collectives under way as there may be, among two kinds of neighbours: no two of them share a barrier.
TEST(Modules, CollectivesUnderWayHaveABarrierEach) {
  ModulePod pod({{2, 2}});
  ModuleBuilder b("many", pod.torus());
  const Value a = b.parameter("a", {{64}, DType::kBf16});
  std::vector<Value> sums;
  for (unsigned i = 0; i < 24; ++i) {
    sums.push_back(b.all_reduce("sum " + std::to_string(i), a, {i % 2 == 0 ? kX : static_cast<ici::Axis>(1)}));
    if (i >= 11) b.wait(sums[i - 11]);  // 12 under way, one of which ends
  }
  const Module module = b.finish();
  const firmware::Lanes lanes = firmware::lanes_of(module, module.written);
  EXPECT_EQ(lanes.count, 12u);
  EXPECT_EQ(lanes.barriers, 12u);
  std::map<std::uint32_t, std::vector<ici::Axis>> users;
  std::set<std::uint32_t> taken;
  for (const auto& [kind, i] : module.written) {
    if (kind == firmware::Slot::Kind::kDone) taken.erase(lanes.barrier[i]);
    if (kind != firmware::Slot::Kind::kStart) continue;
    EXPECT_TRUE(taken.insert(lanes.barrier[i]).second) << i;
    const auto& axes = std::get<firmware::CollectiveCall>(module.instructions[i].work).axes;
    EXPECT_EQ(users.try_emplace(lanes.barrier[i], axes).first->second, axes) << i;
  }
}

TEST(Modules, MoreBarriersThanAChipHasIsAnError) {
  pod::PodConfig config = testing::pod_config({{2}});
  config.chip.semaphores.barrier = 2;
  pod::Pod pod(config, false);
  run::Runner runner(pod);
  ModuleBuilder b("many", pod.torus());
  const Value a = b.parameter("a", {{64}, DType::kBf16});
  for (unsigned i = 0; i < 3; ++i) b.all_reduce("sum " + std::to_string(i), a, {kX});
  try {
    (void)runner.run(step_of(b.finish()));
    FAIL() << "it ran";
  } catch (const firmware::OutOfResources& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("need 3 barrier semaphores, of which a chip has 2"));
  }
}

// Whatever spans the whole pod goes round a ring laid through its chips.
TEST(Modules, RunOnListedLinks) {
  pod::PodConfig config = testing::pod_config({{}});
  config.topology.chips = 4;
  config.topology.links = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  pod::Pod pod(config, /*with_data=*/true);
  run::Runner runner(pod);
  for (const char* const name : {"data_parallel", "fsdp", "mixture_of_experts"}) {
    const firmware::WorkloadCall call{
        .model = firmware::find_model("tiny"), .layers = 1, .tokens = 64, .overlapped = true};
    const run::StepResult result = runner.run(step_of(firmware::find_workload(name)->build(call, pod.torus())));
    EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
    EXPECT_EQ(result.wrong, 0u) << name << ": " << result.explanation;
  }
}

// The order as written has both results in memory at the same time, for which there is no room. One after the other
// there is.
TEST(Modules, AnOrderThatFitsIsRunWhereTheOneWrittenDoesNot) {
  ModulePod pod({{2}});
  ModuleBuilder b("tight", pod.torus());
  const Value a = b.parameter("a", {{1 << 20}, DType::kBf16});
  const Value c = b.parameter("c", {{1 << 10}, DType::kBf16});
  std::vector<Value> wholes;
  for (unsigned i = 0; i < 2; ++i) wholes.push_back(b.all_gather("whole " + std::to_string(i), a, 0, {kX}));
  for (unsigned i = 0; i < 2; ++i) {
    b.reduce("sum " + std::to_string(i), tensor_core::Opcode::kRowMax,
             b.reshape(wholes[i], {{1 << 11, 1 << 10}, DType::kBf16}));
  }
  b.elementwise("other", tensor_core::Opcode::kAdd, c, c);
  const Module module = b.finish();
  const run::StepResult result =
      pod.run(module, {.mode = ScheduleMode::kLatencyHiding, .in_flight = 4, .memory = 7 * kMiB});
  EXPECT_LE(result.module->plan.memory.size, 7 * kMiB);
  EXPECT_NE(result.module->plan.order, result.module->plan.written);
  EXPECT_THROW((void)pod.run(module, {.mode = ScheduleMode::kLatencyHiding, .in_flight = 4, .memory = 5 * kMiB}),
               firmware::OutOfResources);
}

}  // namespace
}  // namespace podsim
