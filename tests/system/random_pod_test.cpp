// Properties that hold on any pod, for any collective: it completes, all data is right, nothing beats the bandwidth of
// a cut through the pod, and afterwards every router is at rest with all its credits.
#include <gtest/gtest.h>

#include "platform/run/runner.h"
#include "tests/support/fresh_simulation.h"
#include "tests/support/random_pod.h"
#include "tests/system/cut_bound.h"

namespace podsim {
namespace {

constexpr std::uint64_t kPodsPerCase = 12;
constexpr unsigned kStepsPerPod = 4;

class RandomPods : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomPods, CompleteWithRightDataAndNotBelowTheFloor) {
  for (std::uint64_t seed = GetParam() * kPodsPerCase; seed < (GetParam() + 1) * kPodsPerCase; ++seed) {
    testing::Draw draw(seed);
    const pod::PodConfig config = testing::random_pod(draw);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + testing::describe(config));
    testing::fresh_simulation();
    pod::Pod pod(config, true);
    run::Runner runner(pod);
    for (unsigned i = 0; i < kStepsPerPod; ++i) {
      const run::Step step = testing::random_step(draw, pod.torus());
      SCOPED_TRACE(testing::describe(step));
      const run::StepResult result = runner.run(step);
      ASSERT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
      EXPECT_EQ(result.wrong, 0u);
      EXPECT_GE(result.time, testing::cut_bound(pod, step.collective));
      for (const auto& chip : pod.chips()) ASSERT_TRUE(chip->router.idle()) << "chip " << index(chip->id());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPods, ::testing::Range(std::uint64_t{0}, std::uint64_t{12}));

}  // namespace
}  // namespace podsim
