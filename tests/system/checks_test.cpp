// The checkers keep silent about correct programs, disturbed or not, and take no simulated time.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "firmware/collectives/algorithm.h"
#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::Algorithm;
using firmware::CollectiveKind;

struct Case {
  CollectiveKind kind;
  Algorithm algorithm;
  testing::Shape shape;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const firmware::AlgorithmInfo& info : firmware::algorithms()) {
    if (info.algorithm == Algorithm::kAuto) continue;
    for (unsigned k = 0; k < firmware::kCollectiveKinds; ++k) {
      const auto kind = static_cast<CollectiveKind>(k);
      if (!info.serves(kind)) continue;
      all.push_back({kind, info.algorithm, {{3, 4}}});
      all.push_back({kind, info.algorithm, {{5}, false}});
    }
  }
  all.push_back({CollectiveKind::kCollectivePermute, Algorithm::kAuto, {{3, 4}}});
  return all;
}

std::string case_name(const ::testing::TestParamInfo<Case>& each) {
  return fmt::format("{}_{}_{}", name(each.param.algorithm), run::name(each.param.kind), each.param.shape.name());
}

void PrintTo(const Case& each, std::ostream* out) { *out << each.shape.name(); }

run::Step step_of(const Case& each, std::uint64_t elements) {
  run::Step step;
  step.name = "test";
  step.collective.kind = each.kind;
  step.collective.algorithm = each.algorithm;
  step.collective.elements = elements;
  if (each.kind == CollectiveKind::kCollectivePermute) {
    for (std::uint32_t i = 0; i < 11; ++i) step.collective.pairs.emplace_back(ChipId{i}, ChipId{(i + 5) % 11});
  }
  return step;
}

class Disturbed : public ::testing::TestWithParam<Case> {};

// More seeds: `podsim run FILE --perturb 100`.
TEST_P(Disturbed, NothingIsFoundAndDataIsRight) {
  constexpr std::uint64_t kSeeds = 12;
  pod::PodConfig config = testing::pod_config(GetParam().shape);
  config.chip.vmem.capacity = {256 * kKiB};  // several segments
  pod::Pod pod(config, /*with_data=*/true);
  run::Runner runner(pod, {.checks = run::CheckLevel::kAll, .perturbation = 0});
  for (const std::uint64_t elements : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{997}, std::uint64_t{60'013}}) {
    for (std::uint64_t seed = 0; seed <= kSeeds; ++seed) {
      runner.perturb(seed);
      const run::StepResult result = runner.run(step_of(GetParam(), elements));
      ASSERT_EQ(result.outcome, run::Outcome::kCompleted) << "seed " << seed << "\n" << result.explanation;
      ASSERT_EQ(result.wrong, 0u) << "seed " << seed;
    }
  }
}

// Three turns on the same buffers and scratch memory.
TEST_P(Disturbed, BackToBackOnTheSameMemory) {
  pod::Pod pod(testing::pod_config(GetParam().shape), /*with_data=*/true);
  run::Runner runner(pod, {.checks = run::CheckLevel::kAll, .perturbation = 0});
  run::Step step = step_of(GetParam(), 997);
  step.sequence.resize(3);
  for (run::SequenceCall& call : step.sequence) call.collective = step.collective;
  for (std::uint64_t seed = 0; seed <= 8; ++seed) {
    runner.perturb(seed);
    const run::StepResult result = runner.run(step);
    ASSERT_EQ(result.outcome, run::Outcome::kCompleted) << "seed " << seed << "\n" << result.explanation;
    ASSERT_EQ(result.wrong, 0u) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Disturbed, ::testing::ValuesIn(cases()), case_name);

// That a seed replays exactly takes a fresh pod each time: see CheckOptions in failure_library_test.cpp.
TEST(Perturbation, SeedsDisturbEachInItsOwnWay) {
  pod::Pod pod(testing::pod_config({{3, 4}}), /*with_data=*/false);
  run::Runner runner(pod, {.perturbation = 0});
  const Case each{CollectiveKind::kAllReduce, Algorithm::kRing, {{3, 4}}};
  const auto time = [&](std::uint64_t seed) {
    runner.perturb(seed);
    const run::StepResult result = runner.run(step_of(each, 10'000));
    EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
    return result.time;
  };
  const Picoseconds undisturbed = time(0);
  EXPECT_GT(time(7), undisturbed);
  EXPECT_NE(time(7), time(8));
}

class CheckLevels : public ::testing::TestWithParam<run::CheckLevel> {};

// The figure is the same in each of these processes: that of the level without any check, which the others are held
// against through the event count too.
TEST_P(CheckLevels, TakeNoSimulatedTime) {
  pod::Pod pod(testing::pod_config({{4, 4}}), /*with_data=*/false);
  run::Runner checked(pod, {.checks = GetParam()});
  const Case each{CollectiveKind::kAllReduce, Algorithm::kTorus, {{4, 4}}};
  const run::StepResult with = checked.run(step_of(each, 100'000));
  ASSERT_EQ(with.outcome, run::Outcome::kCompleted) << with.explanation;
  run::Runner unchecked(pod, {.checks = run::CheckLevel::kNone});
  const run::StepResult without = unchecked.run(step_of(each, 100'000));
  EXPECT_EQ(with.time, without.time);
  EXPECT_EQ(with.events, without.events);
}

INSTANTIATE_TEST_SUITE_P(All, CheckLevels, ::testing::Values(run::CheckLevel::kContracts, run::CheckLevel::kAll),
                         [](const auto& each) { return each.param == run::CheckLevel::kAll ? "All" : "Contracts"; });

}  // namespace
}  // namespace podsim
