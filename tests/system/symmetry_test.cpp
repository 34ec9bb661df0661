// One chip that stands for all tells the same times as the whole pod (platform/run/symmetry.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "firmware/collectives/algorithm.h"
#include "firmware/workloads/workload.h"
#include "platform/run/apart.h"
#include "platform/run/module_plan.h"
#include "platform/run/runner.h"
#include "platform/run/symmetry.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::Algorithm;
using firmware::CollectiveKind;

run::Step step_of(CollectiveKind kind, Algorithm algorithm, std::uint64_t elements,
                  firmware::Directions directions = firmware::Directions::kBothWays) {
  run::Step step;
  step.name = run::name(kind);
  step.collective.kind = kind;
  step.collective.algorithm = algorithm;
  step.collective.elements = elements;
  step.collective.directions = directions;
  return step;
}

std::vector<run::Step> steps_of(std::uint64_t chips, const std::vector<CollectiveKind>& kinds) {
  std::vector<run::Step> steps;
  for (const CollectiveKind kind : kinds) {
    for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kTorus}) {
      for (const std::uint64_t elements : {chips, 1024 * chips, 49'152 * chips}) {
        steps.push_back(step_of(kind, algorithm, elements));
        steps.push_back(step_of(kind, algorithm, elements, firmware::Directions::kOneWay));
      }
    }
  }
  return steps;
}

// The times of the steps, each on a pod and in a process of its own: a memory remembers what it was last asked for.
std::vector<Picoseconds> times(const pod::PodConfig& config, const std::vector<run::Step>& steps, pod::Extent extent) {
  std::vector<std::function<std::string()>> jobs;
  for (const run::Step& step : steps) {
    jobs.emplace_back([&config, &step, extent] {
      pod::Pod pod(config, false, extent);
      const run::StepResult result = run::Runner(pod, {}).run(step);
      return result.outcome == run::Outcome::kCompleted ? std::to_string(result.time) : result.explanation;
    });
  }
  std::vector<Picoseconds> all;
  for (const std::optional<std::string>& each : run::do_apart(jobs)) {
    const bool number = each && !each->empty() && each->find_first_not_of("0123456789") == std::string::npos;
    EXPECT_TRUE(number) << each.value_or("a simulation broke off");
    all.push_back(number ? std::stoll(*each) : 0);
  }
  return all;
}

// `tolerance`: of the whole pod's time.
void expect_one_stands_for_all(const pod::PodConfig& config, const std::vector<run::Step>& steps, double tolerance) {
  const ici::TorusShape torus = pod::torus_shape(config);
  ASSERT_EQ(run::why_not_symmetric(steps, config, torus, {}, false), "");
  const std::vector<Picoseconds> whole = times(config, steps, pod::Extent::kAllChips);
  const std::vector<Picoseconds> one = times(config, steps, pod::Extent::kOneForAll);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(one[i]), static_cast<double>(whole[i]), tolerance * static_cast<double>(whole[i]))
        << steps[i].name << " of " << steps[i].collective.elements << " elements, algorithm "
        << firmware::name(steps[i].collective.algorithm);
    EXPECT_GT(one[i], 0);
  }
}

void expect_one_stands_for_all(const pod::PodConfig& config, const std::vector<CollectiveKind>& kinds,
                               double tolerance) {
  expect_one_stands_for_all(config, steps_of(pod::torus_shape(config).chips(), kinds), tolerance);
}

run::Step workload_step(const char* name, const ici::TorusShape& torus, bool overlapped) {
  const firmware::WorkloadCall call{
      .model = firmware::find_model("tiny"), .layers = 2, .tokens = 64, .sequence = 64, .overlapped = overlapped};
  run::ScheduleOptions options;
  if (overlapped) options.mode = run::ScheduleMode::kLatencyHiding;
  run::Step step;
  step.name = name;
  step.module = std::make_shared<const run::ModuleStep>(
      run::ModuleStep{firmware::find_workload(name)->build(call, torus), options});
  return step;
}

// HBM to which it makes next to no difference where something lies: no rows to open, no turning round. What is left is
// that an access which goes on where another one ended is a little cheaper.
pod::PodConfig with_even_memory(pod::PodConfig config) {
  memory::HbmConfig& hbm = config.chip.hbm;
  hbm.mixing_window = ByteSize{0};
  hbm.refresh = memory::HbmRefresh::kNone;
  for (Duration* each :
       {&hbm.row_cycle, &hbm.row_active, &hbm.row_precharge, &hbm.row_to_column, &hbm.row_to_column_write,
        &hbm.read_to_precharge, &hbm.write_recovery, &hbm.activate_to_activate, &hbm.activate_to_activate_same_group,
        &hbm.four_activate_window, &hbm.column_read_latency, &hbm.column_write_latency, &hbm.read_to_write,
        &hbm.write_to_read, &hbm.write_to_read_other_group}) {
    each->ps = 0;
  }
  hbm.same_group_clocks = 2;
  hbm.activate_clocks = hbm.precharge_clocks = 0;
  return config;
}

const std::vector<CollectiveKind> kKinds = {CollectiveKind::kAllGather, CollectiveKind::kReduceScatter,
                                            CollectiveKind::kAllReduce};

TEST(Symmetry, WithEvenMemoryTimesAreTheSame) {
  expect_one_stands_for_all(with_even_memory(testing::pod_config({{4, 3}, true})), kKinds, 5e-5);
}
TEST(Symmetry, WithEvenMemoryAndThreeAxesTimesAreTheSame) {
  expect_one_stands_for_all(with_even_memory(testing::pod_config({{3, 4, 3}, true})), kKinds, 5e-5);
}
TEST(Symmetry, HoldsPacketByPacketWithCredits) {
  pod::PodConfig config = with_even_memory(testing::pod_config({{4, 4}, true}));
  config.chip.ici.fidelity = ici::Fidelity::kPacket;
  expect_one_stands_for_all(config, kKinds, 1e-4);
}
TEST(Symmetry, TimesAgreeButForWhereShardsLieInMemory) {
  expect_one_stands_for_all(testing::pod_config({{4, 4}, true}), kKinds, 1e-3);
}
TEST(Symmetry, TimesOnThreeAxesAgreeButForWhereShardsLieInMemory) {
  pod::PodConfig config = testing::pod_config({{4, 4, 4}, true});
  config.chip.vmem.capacity = ByteSize{4 * kMiB};
  expect_one_stands_for_all(config, kKinds, 1e-2);
}

// Transfers that overlap work, and with ring attention permutes to neighbours. The tiny model's are of a few kilobytes,
// where it weighs most where they lie.
TEST(Symmetry, ModulesOfChipsThatAreAlikeTakeTheSame) {
  for (const auto& [name, shape] :
       {std::pair{"fsdp", testing::Shape{{4, 4}}}, {"ring_attention", testing::Shape{{4}}}}) {
    const pod::PodConfig config = testing::pod_config(shape);
    const ici::TorusShape torus = pod::torus_shape(config);
    expect_one_stands_for_all(config, {workload_step(name, torus, false), workload_step(name, torus, true)}, 2e-2);
  }
}

std::string why_not(const pod::PodConfig& config, const run::Step& step, const run::RunOptions& options = {},
                    bool with_data = false) {
  return run::why_not_symmetric({step}, config, pod::torus_shape(config), options, with_data);
}

TEST(Symmetry, IsNotTakenWhereChipsDiffer) {
  const pod::PodConfig torus = testing::pod_config({{4, 4}, true});
  const run::Step step = step_of(CollectiveKind::kAllReduce, Algorithm::kRing, 1600);
  EXPECT_EQ(why_not(torus, step), "");
  EXPECT_THAT(why_not(testing::pod_config({{4, 4}, false}), step), ::testing::HasSubstr("not alike"));
  EXPECT_THAT(why_not(testing::pod_config({{4, 2}, true}), step), ::testing::HasSubstr("not alike"));
  pod::PodConfig slow_link = torus;
  slow_link.links = {testing::link_of_speed(5, "x", Bandwidth{20'000'000'000})};
  EXPECT_THAT(why_not(slow_link, step), ::testing::HasSubstr("not alike"));
  EXPECT_THAT(why_not(torus, step_of(CollectiveKind::kAllReduce, Algorithm::kRing, 1601)),
              ::testing::HasSubstr("1601 elements can't be shared out evenly over 16"));
  EXPECT_THAT(why_not(torus, step_of(CollectiveKind::kAllReduce, Algorithm::kSwing, 1600)),
              ::testing::HasSubstr("neighbours"));
  EXPECT_THAT(why_not(torus, step_of(CollectiveKind::kAllToAll, Algorithm::kDirect, 1600)),
              ::testing::HasSubstr("neighbours"));
  const auto workload = [&](const char* name, bool overlapped = false) {
    const pod::PodConfig ring = testing::pod_config({{4}, true});
    return why_not(ring, workload_step(name, pod::torus_shape(ring), overlapped));
  };
  EXPECT_THAT(workload("mixture_of_experts"), ::testing::HasSubstr("neighbours"));
  EXPECT_THAT(workload("activation_offload", true), ::testing::HasSubstr("share their host"));
  EXPECT_THAT(why_not(torus, step, {}, true), ::testing::HasSubstr("data moves"));
  run::RunOptions watched;
  watched.checks = run::CheckLevel::kAll;
  EXPECT_THAT(why_not(torus, step, watched), ::testing::HasSubstr("hazards"));
  pod::PodConfig flows = torus;
  flows.chip.ici.fidelity = ici::Fidelity::kFlow;
  EXPECT_THAT(why_not(flows, step), ::testing::HasSubstr("flows"));
}

TEST(Symmetry, MustBePossibleWhereItIsAskedFor) {
  const pod::PodConfig mesh = testing::pod_config({{4, 4}, false});
  const std::vector<run::Step> steps = {step_of(CollectiveKind::kAllReduce, Algorithm::kRing, 1600)};
  run::RunOptions options;
  options.symmetry = run::Symmetry::kOn;
  EXPECT_THROW(static_cast<void>(run::chosen_extent(steps, mesh, pod::torus_shape(mesh), options, false)),
               std::invalid_argument);
  EXPECT_THROW(pod::Pod(mesh, false, pod::Extent::kOneForAll), std::invalid_argument);
  const pod::PodConfig torus = testing::pod_config({{4, 4}, true});
  EXPECT_EQ(run::chosen_extent(steps, torus, pod::torus_shape(torus), options, false), pod::Extent::kOneForAll);
  // By itself, only where it pays.
  EXPECT_EQ(run::chosen_extent(steps, torus, pod::torus_shape(torus), {}, false), pod::Extent::kAllChips);
  run::RunOptions unchecked;
  unchecked.checks = run::CheckLevel::kNone;
  EXPECT_EQ(run::chosen_extent(steps, torus, pod::torus_shape(torus), unchecked, false), pod::Extent::kOneForAll);
  const pod::PodConfig large = testing::pod_config({{16, 8}, true});
  EXPECT_EQ(run::chosen_extent({step_of(CollectiveKind::kAllReduce, Algorithm::kRing, 12800)}, large,
                               pod::torus_shape(large), {}, false),
            pod::Extent::kOneForAll);
}

}  // namespace
}  // namespace podsim
