// Collectives on pods of listed links: on any graph the data is right, nothing locks up, and every credit comes home.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "firmware/collectives/algorithm.h"
#include "platform/check/wait_for_graph.h"
#include "platform/run/runner.h"
#include "tests/support/fresh_simulation.h"
#include "tests/support/graphs.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::CollectiveKind;

struct Case {
  testing::ListedNetwork network;
  ici::Fidelity fidelity;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& network : testing::listed_networks()) {
    for (const auto fidelity : {ici::Fidelity::kPacket, ici::Fidelity::kBurst}) all.push_back({network, fidelity});
  }
  return all;
}

void PrintTo(const Case& each, std::ostream* out) { *out << each.network.name; }

pod::PodConfig config_of(const testing::ListedNetwork& network) {
  pod::PodConfig config;
  config.name = network.name;
  config.chip.name = "test chip";
  config.topology.chips = network.chips;
  for (const auto& [a, b] : network.links) config.topology.links.push_back({a, b});
  return config;
}

class ListedLinks : public ::testing::TestWithParam<Case> {};

TEST_P(ListedLinks, EveryCollectiveGivesTheRightData) {
  pod::PodConfig config = config_of(GetParam().network);
  config.chip.ici.fidelity = GetParam().fidelity;
  config.chip.ici.packet = {256};
  config.chip.ici.router.buffer_per_vc = {512};
  config.chip.dma.burst = {1024};
  pod::Pod pod(config, true);
  run::Runner runner(pod);
  for (const firmware::AlgorithmInfo& algorithm : firmware::algorithms()) {
    for (unsigned i = 0; i < firmware::kCollectiveKinds; ++i) {
      const auto kind = static_cast<CollectiveKind>(i);
      if (!algorithm.serves(kind)) continue;
      run::Step step;
      step.name = run::name(kind);
      step.collective.kind = kind;
      step.collective.algorithm = algorithm.algorithm;
      step.collective.elements = 3001;
      step.collective.root = pod.size() / 2;
      const run::StepResult result = runner.run(step);
      ASSERT_EQ(result.outcome, run::Outcome::kCompleted) << step.name << " " << result.explanation;
      EXPECT_EQ(result.wrong, 0u) << step.name << " by " << algorithm.name;
      for (const auto& chip : pod.chips()) ASSERT_TRUE(chip->router.idle());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ListedLinks, ::testing::ValuesIn(cases()), [](const auto& each) {
  return fmt::format("{}_{}", each.param.network.name,
                     each.param.fidelity == ici::Fidelity::kPacket ? "packet" : "burst");
});

// Cut off while packets wait for room: a buffer of a listed link is named by the chip at its other end.
TEST(ListedLinksHang, NamesTheBuffersThatPacketsWaitFor) {
  testing::fresh_simulation();
  pod::PodConfig config = config_of(testing::petersen());
  config.chip.ici.fidelity = ici::Fidelity::kPacket;
  config.chip.ici.router.buffer_per_vc = config.chip.ici.packet;
  pod::Pod pod(config, false);
  run::Step step;
  step.name = "all_to_all";
  step.collective.kind = CollectiveKind::kAllToAll;
  step.collective.algorithm = firmware::Algorithm::kDirect;
  step.collective.elements = 1 << 20;
  run::RunOptions options;
  options.time_limit = 60 * kPicosecondsPerMicrosecond;
  const run::StepResult result = run::Runner(pod, options).run(step);
  EXPECT_EQ(result.outcome, run::Outcome::kTimeLimit);
  ASSERT_NE(result.graph, nullptr);
  const auto& nodes = result.graph->nodes;
  EXPECT_TRUE(std::any_of(nodes.begin(), nodes.end(), [](const auto& node) {
    return node.name.find("buffer of link from chip ") != std::string::npos;
  }));
  EXPECT_EQ(result.explanation.find("nobody is left"), std::string::npos) << "what is wanted is under way";
}

// A ring given link by link is a ring: its all-gather takes the time that the same torus axis needs.
TEST(ListedLinksRing, IsAsFastAsAnAxis) {
  const auto time = [](const pod::PodConfig& config) {
    testing::fresh_simulation();
    pod::Pod pod(config, false);
    run::Step step;
    step.name = "all_gather";
    step.collective.kind = CollectiveKind::kAllGather;
    step.collective.algorithm = firmware::Algorithm::kRing;
    step.collective.elements = 6 << 20;
    const run::StepResult result = run::Runner(pod).run(step);
    return result.time;
  };
  EXPECT_EQ(time(config_of(testing::ring())), time(testing::pod_config({{6}, true})));
}

// The Petersen graph has no ring through all chips: one of the ten edges is two links long. A fully connected pod has.
TEST(ListedLinksRing, TellsItsHopStretch) {
  const auto stretch = [](const testing::ListedNetwork& network) {
    testing::fresh_simulation();
    pod::Pod pod(config_of(network), false);
    run::Step step;
    step.name = "all_gather";
    step.collective.kind = CollectiveKind::kAllGather;
    step.collective.elements = 1000;
    return run::Runner(pod).run(step).stretch.max;
  };
  EXPECT_EQ(stretch(testing::petersen()), 2u);
  EXPECT_EQ(stretch(testing::fully_connected()), 1u);
}

}  // namespace
}  // namespace podsim
