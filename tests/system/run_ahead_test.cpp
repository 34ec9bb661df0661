// Chips that run ahead of each other do the same at the same times as in order (platform/run/run_ahead.h).
#include <gtest/gtest.h>

#include "platform/run/apart.h"
#include "platform/run/run_ahead.h"
#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::Algorithm;
using firmware::CollectiveKind;
using firmware::Directions;

run::Step step_of(CollectiveKind kind, Algorithm algorithm, std::uint64_t elements, Directions directions) {
  run::Step step;
  step.collective.kind = kind;
  step.collective.algorithm = algorithm;
  step.collective.elements = elements;
  step.collective.directions = directions;
  return step;
}

// Everything that a step leaves behind: its times and events, and the counters that depend on who came first.
std::string trace(pod::Pod& pod, const run::StepResult& result) {
  std::string text = std::to_string(result.time) + " " + std::to_string(result.events);
  for (const auto& chip : pod.chips()) {
    text += " " + std::to_string(chip->hbm.statistics().busy) + " " + std::to_string(chip->hbm.statistics().read_time) +
            " " + std::to_string(chip->vmem.statistics().busy) + " " +
            std::to_string(chip->semaphores.statistics().waits_that_stalled);
  }
  for (const pod::Pod::Link& link : pod.links()) text += " " + std::to_string(pod.link_statistics(link).busy);
  return text;
}

// In a process and on a pod of its own: a memory remembers what it was last asked for.
std::string traces(const pod::PodConfig& config, bool run_ahead) {
  pod::Pod pod(config, false);
  run::RunOptions options;
  options.checks = run::CheckLevel::kContracts;
  options.run_ahead = run_ahead;
  run::Runner runner(pod, options);
  std::string all;
  for (const CollectiveKind kind :
       {CollectiveKind::kAllReduce, CollectiveKind::kAllGather, CollectiveKind::kReduceScatter}) {
    for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kTorus}) {
      for (const Directions directions : {Directions::kOneWay, Directions::kBothWays}) {
        for (const std::uint64_t elements : {5u, 100'003u, 3'000'001u}) {
          const run::Step step = step_of(kind, algorithm, elements, directions);
          const run::StepResult result = runner.run(step);
          all += std::string(run::name(result.outcome)) + " " + trace(pod, result) + "\n";
        }
      }
    }
  }
  return all;
}

void expect_same(const pod::PodConfig& config) {
  const auto traced = run::do_apart({[&] { return traces(config, true); }, [&] { return traces(config, false); }});
  ASSERT_TRUE(traced[0] && traced[1]) << "a simulation broke off";
  EXPECT_EQ(*traced[0], *traced[1]);
  EXPECT_EQ(traced[0]->find("deadlock"), std::string::npos);
  pod::Pod pod(config, false);
  EXPECT_GT(
      run::lookahead_of(step_of(CollectiveKind::kAllReduce, Algorithm::kRing, 1'000'000, Directions::kBothWays), pod),
      0);
}

TEST(RunAhead, ATorusGetsTheSameTimes) { expect_same(testing::pod_config({{4, 3}, true})); }
TEST(RunAhead, AMeshGetsTheSameTimes) { expect_same(testing::pod_config({{2, 4}, false})); }
TEST(RunAhead, PacketsWithCreditsGetTheSameTimes) {
  pod::PodConfig config = testing::pod_config({{4, 3}, true});
  config.chip.ici.fidelity = ici::Fidelity::kPacket;
  config.chip.ici.router.buffer_per_vc = ByteSize{12 * kKiB};
  expect_same(config);
}
TEST(RunAhead, ThreeAxesAndLittleVmemGetTheSameTimes) {
  pod::PodConfig config = testing::pod_config({{4, 4, 3}, true});
  config.chip.vmem.capacity = ByteSize{4 * kMiB};
  expect_same(config);
}
TEST(RunAhead, LinksOfDifferentSpeedGetTheSameTimes) {
  pod::PodConfig config = testing::pod_config({{4, 4}, true});
  config.links = {testing::link_of_speed(5, "x", Bandwidth{20'000'000'000})};
  expect_same(config);
}

TEST(RunAhead, WhereChipsShareMoreThanLinksTheyKeepInOrder) {
  pod::PodConfig config = testing::pod_config({{4, 4}, true});
  pod::Pod pod(config, false);
  const auto of = [&](CollectiveKind kind, Algorithm algorithm) {
    return run::lookahead_of(step_of(kind, algorithm, 1'000'000, Directions::kBothWays), pod);
  };
  EXPECT_EQ(of(CollectiveKind::kAllReduce, Algorithm::kTorus), config.chip.ici.link.hop_latency.ps);
  EXPECT_EQ(of(CollectiveKind::kAllReduce, Algorithm::kSwing), 0);  // over several links
  EXPECT_EQ(of(CollectiveKind::kAllToAll, Algorithm::kDirect), 0);
  EXPECT_EQ(of(CollectiveKind::kCollectivePermute, Algorithm::kAuto), 0);
}

TEST(RunAhead, FlowsKeepThemInOrder) {
  pod::PodConfig config = testing::pod_config({{4, 4}, true});
  config.chip.ici.fidelity = ici::Fidelity::kFlow;
  pod::Pod pod(config, false);
  EXPECT_EQ(
      run::lookahead_of(step_of(CollectiveKind::kAllReduce, Algorithm::kRing, 1'000'000, Directions::kBothWays), pod),
      0);
}

}  // namespace
}  // namespace podsim
