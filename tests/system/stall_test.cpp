// Stalls by cause: they add up to what programs waited for, exactly and on every chip; each cause, provoked on purpose,
// is the one that is found, and for as long as a calculation says; and nobody's time changes for being watched.
#include <gtest/gtest.h>

#include "firmware/module/builder.h"
#include "firmware/workloads/workload.h"
#include "models/pcie/pcie_overhead.h"
#include "platform/run/apart.h"
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
using stall::Cause;

constexpr ici::Axis kX = static_cast<ici::Axis>(0);

class StallPod {
 public:
  explicit StallPod(const pod::PodConfig& config) : config_(config), pod_(config_, false), runner_(pod_) {}

  [[nodiscard]] const pod::PodConfig& config() const { return config_; }
  [[nodiscard]] const ici::TorusShape& torus() const { return pod_.torus(); }
  run::StepResult run(Module module, ScheduleMode mode = ScheduleMode::kAsWritten) {
    run::Step step;
    step.name = module.name;
    step.module = std::make_shared<const run::ModuleStep>(
        run::ModuleStep{std::move(module), {.mode = mode, .in_flight = 3, .memory = {}}});
    run::StepResult result = runner_.run(step);
    EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
    return result;
  }

 private:
  const pod::PodConfig config_;
  pod::Pod pod_;
  run::Runner runner_;
};

// --- the parts -------------------------------------------------------------------------------------------------------

void expect_to_add_up(const run::ModuleResult& result) {
  for (std::size_t c = 0; c < result.chips.size(); ++c) {
    const run::StepBreakdown parts = result.breakdown(static_cast<ChipId>(c));
    EXPECT_EQ(parts.compute.all() + parts.communication_stalls.all() + parts.host_stalls.all() + parts.issue,
              parts.total)
        << "chip " << c;
    EXPECT_EQ(parts.communication_stalls.all(), parts.communication.all()) << "chip " << c;
    EXPECT_EQ(parts.host_stalls.all(), parts.host.all()) << "chip " << c;
    for (std::size_t at = 0; at < result.plan.order.size(); ++at) {
      const bool waits = result.plan.order[at].kind == firmware::Slot::Kind::kDone;
      EXPECT_EQ(result.stalls[c][at].all(), waits ? result.chips[c].slots[at].length() : 0) << c << " slot " << at;
    }
  }
}

struct Case {
  const char* workload;
  testing::Shape shape;
  ici::Fidelity fidelity = ici::Fidelity::kBurst;
};

class StallsOf : public ::testing::TestWithParam<Case> {};

TEST_P(StallsOf, AddUpToTheStepOnEveryChip) {
  pod::PodConfig config = testing::pod_config(GetParam().shape);
  config.chip.ici.fidelity = GetParam().fidelity;
  StallPod pod(config);
  for (const bool overlapped : {false, true}) {
    const firmware::WorkloadCall call{
        .model = firmware::find_model("tiny"), .layers = 2, .tokens = 64, .overlapped = overlapped};
    const auto mode = overlapped ? ScheduleMode::kLatencyHiding : ScheduleMode::kSync;
    expect_to_add_up(*pod.run(firmware::find_workload(GetParam().workload)->build(call, pod.torus()), mode).module);
  }
}

INSTANTIATE_TEST_SUITE_P(Workloads, StallsOf,
                         ::testing::Values(Case{"data_parallel", {{2, 2}}}, Case{"fsdp", {{4, 2}}},
                                           Case{"fsdp", {{4}, false}}, Case{"fsdp", {{4, 2}}, ici::Fidelity::kPacket},
                                           Case{"fsdp", {{4, 2}}, ici::Fidelity::kFlow}, Case{"tensor_parallel", {{4}}},
                                           Case{"collective_matmul", {{4}}}, Case{"mixture_of_experts", {{4}}},
                                           Case{"ring_attention", {{4}}}, Case{"pipeline", {{4}}},
                                           Case{"activation_offload", {{2}}}),
                         [](const auto& info) {
                           return std::string(info.param.workload) + "_" + info.param.shape.name() + "_" +
                                  std::to_string(static_cast<int>(info.param.fidelity));
                         });

// --- each cause ------------------------------------------------------------------------------------------------------

double share(const stall::Stalls& stalls, Cause cause) {
  return static_cast<double>(stalls[cause]) / static_cast<double>(std::max<Picoseconds>(1, stalls.all()));
}

void expect_near(Picoseconds found, Picoseconds expected, double share, const char* what) {
  EXPECT_NEAR(static_cast<double>(found), static_cast<double>(expected), share * static_cast<double>(expected)) << what;
}

const firmware::Execution::Transfer& transfer_of(const run::StepResult& result, ChipId chip, const char* name) {
  const auto& instructions = result.module->module.instructions;
  const auto found = std::find_if(instructions.begin(), instructions.end(),
                                  [&](const firmware::Instruction& each) { return each.name == name; });
  return result.module->chips[index(chip)].transfers[static_cast<std::size_t>(found - instructions.begin())];
}

// What the wait for a transfer was for.
const stall::Stalls& stalls_of(const run::StepResult& result, ChipId chip, const char* name) {
  const run::ModuleResult& module = *result.module;
  for (std::size_t at = 0; at < module.plan.order.size(); ++at) {
    const firmware::Slot& slot = module.plan.order[at];
    if (slot.kind == firmware::Slot::Kind::kDone && module.module.instructions[slot.instruction].name == name) {
      return module.stalls[index(chip)][at];
    }
  }
  throw std::out_of_range(name);
}

// A large all-gather round a ring of four, alone: in each of three steps half a shard leaves each way.
class LinkStall : public ::testing::TestWithParam<ici::Fidelity> {};
TEST_P(LinkStall, IsTheSerialisationOfWhatTheLinksCarry) {
  pod::PodConfig config = testing::pod_config({{4}});
  config.chip.ici.fidelity = GetParam();
  StallPod pod(config);
  ModuleBuilder b("gather", pod.torus());
  b.all_gather("whole", b.parameter("shard", {{4096, 1024}, DType::kBf16}), 0, {kX});
  const run::StepResult result = pod.run(b.finish());
  const stall::Stalls& stalls = stalls_of(result, ChipId{0}, "whole");
  const SerialisationTime time(config.chip.ici.link.bandwidth_per_direction);
  EXPECT_GT(share(stalls, Cause::kLink), 0.9);
  expect_near(stalls[Cause::kLink], 3 * (time(4096 * 1024) + config.chip.ici.link.hop_latency.ps), 0.05, "link");
}
INSTANTIATE_TEST_SUITE_P(Fidelities, LinkStall,
                         ::testing::Values(ici::Fidelity::kPacket, ici::Fidelity::kBurst, ici::Fidelity::kFlow));

// One chip computes first, and the others wait for it.
TEST(SemaphoreStall, IsTheTimeThatAPeerIsLate) {
  StallPod pod(testing::pod_config({{2}}));
  ModuleBuilder b("late", pod.torus());
  const Value x = b.parameter("x", {{4096, 4096}, DType::kBf16});
  const Value small = b.parameter("small", {{64}, DType::kBf16});
  b.set({.chips = {true, false}});
  b.matmul("work", x, x);
  b.set({});
  b.all_reduce("sum", small, {kX});
  const run::StepResult result = pod.run(b.finish());
  const Picoseconds work = result.module->durations[2];
  EXPECT_GT(share(stalls_of(result, ChipId{1}, "sum"), Cause::kSemaphore), 0.9);
  expect_near(stalls_of(result, ChipId{1}, "sum")[Cause::kSemaphore], work, 0.05, "the late chip's work");
  EXPECT_LT(stalls_of(result, ChipId{0}, "sum")[Cause::kSemaphore], work / 10);
}

// A copy within HBM reads and writes every byte.
TEST(HbmStall, IsTheMemorysTimeForTheBytes) {
  StallPod pod(testing::pod_config({{1}}));
  ModuleBuilder b("copy", pod.torus());
  const Value a = b.parameter("a", {{1 << 24}, DType::kBf16});
  b.concat("copied", {a, a});
  const run::StepResult result = pod.run(b.finish());
  const stall::Stalls& stalls = stalls_of(result, ChipId{0}, "copied");
  EXPECT_GT(share(stalls, Cause::kHbm), 0.95);
  const std::uint64_t bytes = 4 * 2 * (std::uint64_t{1} << 24);  // two copies of two bytes each, read and written
  const auto at_peak = static_cast<Picoseconds>(static_cast<double>(bytes) * 1e12 /
                                                static_cast<double>(pod.config().chip.hbm.bandwidth.bytes_per_second));
  EXPECT_GE(stalls[Cause::kHbm], at_peak * 95 / 100);
  EXPECT_LE(stalls[Cause::kHbm], at_peak * 2);
}

// A DMA engine with one context, which a copy to the host has.
TEST(DmaStall, IsTheTimeThatTheOnlySlotIsTaken) {
  pod::PodConfig config = testing::pod_config({{1}});
  config.chip.dma.engines = 1;
  config.chip.dma.contexts = 1;
  StallPod pod(config);
  ModuleBuilder b("slots", pod.torus());
  const Value large = b.parameter("large", {{1 << 22}, DType::kBf16});
  const Value small = b.parameter("small", {{1 << 10}, DType::kBf16});
  const Value out = b.host_out("out", large);
  b.concat("behind", {small});
  b.synchronous();
  b.wait(out);
  const run::StepResult result = pod.run(b.finish());
  const stall::Stalls& stalls = stalls_of(result, ChipId{0}, "behind");
  EXPECT_GT(share(stalls, Cause::kDmaSlot), 0.95);
  const auto& host_copy = transfer_of(result, ChipId{0}, "out");
  expect_near(stalls[Cause::kDmaSlot], host_copy.finished - host_copy.started, 0.05, "the host copy's time");
}

// A core with two contexts: one is the program's, the other has a copy to the host.
TEST(ContextStall, IsTheTimeUntilAContextIsFree) {
  pod::PodConfig config = testing::pod_config({{1}});
  config.chip.scalar_core.contexts = 2;
  StallPod pod(config);
  ModuleBuilder b("contexts", pod.torus());
  const Value large = b.parameter("large", {{1 << 22}, DType::kBf16});
  const Value small = b.parameter("small", {{1 << 10}, DType::kBf16});
  const Value out = b.host_out("out", large);
  b.concat("behind", {small});
  b.synchronous();
  b.wait(out);
  const run::StepResult result = pod.run(b.finish());
  const stall::Stalls& stalls = stalls_of(result, ChipId{0}, "behind");
  EXPECT_GT(share(stalls, Cause::kContext), 0.95);
  EXPECT_EQ(stalls[Cause::kContext],
            transfer_of(result, ChipId{0}, "out").finished - transfer_of(result, ChipId{0}, "behind").issued);
}

// Two chips that reduce-scatter with a vector unit of a lane: each adds half of the elements.
TEST(VectorUnitStall, IsTheTimeOfTheAdditions) {
  pod::PodConfig config = testing::pod_config({{2}});
  tensor_core::TensorCoreConfig& core = config.chip.tensor_core;
  core.vpu_lanes = core.vpu_sublanes = core.vpu_alus = 1;
  StallPod pod(config);
  ModuleBuilder b("reduce", pod.torus());
  constexpr std::uint64_t kElements = 1 << 20;
  b.reduce_scatter("part", b.parameter("all", {{kElements}, DType::kF32}), 0, {kX});
  const run::StepResult result = pod.run(b.finish());
  const stall::Stalls& stalls = stalls_of(result, ChipId{0}, "part");
  EXPECT_EQ(stalls.most(), Cause::kVectorUnit);
  // All but those that go on while the next ones come.
  const Picoseconds additions = core.clock.time_for(kElements / 2);
  EXPECT_LE(stalls[Cause::kVectorUnit], additions * 105 / 100);
  EXPECT_GE(stalls[Cause::kVectorUnit], additions * 80 / 100);
}

// A copy to the host, alone: its packets on PCIe.
TEST(HostStall, IsTheSerialisationOnPcie) {
  StallPod pod(testing::pod_config({{1}}));
  ModuleBuilder b("offload", pod.torus());
  constexpr Bytes kBytes = 8 * kMiB;
  const Value out = b.host_out("out", b.parameter("a", {{kBytes / 2}, DType::kBf16}));
  b.host_in("back", out);
  const run::StepResult result = pod.run(b.finish());
  const pcie::PcieOverhead overhead(pod.config().chip.pcie);
  const SerialisationTime wire(overhead.packet_bandwidth());
  const Bytes burst = pod.config().chip.dma.host_burst.bytes;
  const auto bursts = static_cast<Picoseconds>(kBytes / burst);
  EXPECT_GT(share(stalls_of(result, ChipId{0}, "out"), Cause::kLink), 0.97);
  expect_near(stalls_of(result, ChipId{0}, "out")[Cause::kLink], bursts * wire(overhead.write_on_wire(burst)), 0.03,
              "out");
  EXPECT_GT(share(stalls_of(result, ChipId{0}, "back"), Cause::kLink), 0.97);
  expect_near(stalls_of(result, ChipId{0}, "back")[Cause::kLink], bursts * wire(overhead.completions_on_wire(burst)),
              0.03, "back");
  const run::StepBreakdown parts = result.module->breakdown(ChipId{0});
  EXPECT_EQ(parts.communication_stalls.all(), 0);
  EXPECT_EQ(parts.host_stalls.all(), parts.host.all());
}

// --- being watched ---------------------------------------------------------------------------------------------------

// Every time of a program of all kinds of transfers, on a pod of its own, with or without the watch.
std::string times_of_transfers(bool watched) {
  pod::Pod pod(testing::pod_config({{4, 2}}), false);
  run::Launcher launcher(pod, {.checks = run::CheckLevel::kNone});
  ModuleBuilder b("transfers", pod.torus());
  const Value a = b.parameter("a", {{512, 1024}, DType::kBf16});
  const Value whole = b.all_gather("whole", a, 0, {kX});
  const Value out = b.host_out("out", a);
  const Value part = b.reduce_scatter("part", whole, 1, {});
  const Value turned = b.all_to_all("turned", a, 0, 1, {});
  b.concat("all", {part, turned, b.host_in("back", out)});
  const Module module = b.finish();
  const run::ModulePlan plan =
      run::plan_module(module, run::Durations(module.instructions.size()), pod.torus(), {.memory = ~Bytes{0}});
  std::vector<firmware::Execution> chips(pod.size());
  std::vector<firmware::Placement> places;
  for (const auto& chip : pod.chips()) {
    places.push_back(run::place(module, plan, launcher.device(chip->id()).allocate()));
  }
  stall::StallWatch watch(pod);
  if (watched) {
    watch.begin(plan.order, chips);
    for (const auto& chip : pod.chips()) launcher.device(chip->id()).attach(watch);
  }
  const run::LaunchResult result = launcher.launch([&](firmware::Device& device) {
    const std::size_t chip = index(device.id());
    return firmware::execute(device, module, plan.order, places[chip], plan.lanes, chips[chip]);
  });
  stall::Stalls all;
  for (const auto& chip : watch.end()) {
    for (const stall::Stalls& each : chip) all += each;
  }
  if (result.outcome != run::Outcome::kCompleted || (all.all() > 0) != watched) throw std::runtime_error("no result");
  std::string text = std::to_string(result.time) + " " + std::to_string(result.events);
  for (const firmware::Execution& chip : chips) {
    for (const auto& slot : chip.slots) text += " " + std::to_string(slot.end);
  }
  return text;
}

TEST(StallWatch, ChangesNoTime) {
  const auto times = run::do_apart({[] { return times_of_transfers(false); }, [] { return times_of_transfers(true); }});
  ASSERT_TRUE(times[0] && times[1]);
  EXPECT_EQ(*times[0], *times[1]);
}

}  // namespace
}  // namespace podsim
