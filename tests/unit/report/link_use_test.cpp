#include "platform/report/link_use.h"

#include <gtest/gtest.h>

#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim::report {
namespace {

LinkUse use(ici::Port port, double busy) {
  LinkUse use;
  use.port = port;
  use.busy_fraction = busy;
  return use;
}

TEST(LinkUse, GroupsByDirection) {
  const ici::Port right = ici::plus_port(ici::Axis{0}), up = ici::minus_port(ici::Axis{1});
  const std::vector<LinkUse> links{use(right, 0.5), use(up, 0.1), use(right, 0.0)};
  const auto directions = by_direction(links);
  ASSERT_EQ(directions.size(), 2u);
  EXPECT_EQ(directions[0].port, right);
  EXPECT_EQ(directions[0].links, 2u);
  EXPECT_DOUBLE_EQ(directions[0].mean, 0.25);
  EXPECT_DOUBLE_EQ(directions[0].max, 0.5);
  EXPECT_EQ(directions[1].port, up);
  EXPECT_EQ(busiest(links), &links[0]);
}

TEST(LinkUse, NothingOfNothing) {
  EXPECT_TRUE(by_direction({}).empty());
  EXPECT_EQ(busiest({}), nullptr);
}

// Chip 0 sends 450,000 B to chip 1: at 45 GB/s the link is busy for 10 us; the other one carries at most a signal.
TEST(LinkUse, BusyFractionIsTransferTimeOverStepTime) {
  pod::Pod pod(testing::pod_config({{2}, false}), /*with_data=*/false);
  run::Runner runner(pod);
  run::Step step;
  step.collective.kind = firmware::CollectiveKind::kCollectivePermute;
  step.collective.type = firmware::DType::kS8;
  step.collective.elements = 450'000;
  step.collective.pairs = {{ChipId{0}, ChipId{1}}};
  const run::StepResult result = runner.run(step);
  ASSERT_EQ(result.outcome, run::Outcome::kCompleted);
  const std::vector<LinkUse> links = link_use(pod, result.time);
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].from, ChipId{0});
  EXPECT_EQ(links[0].to, ChipId{1});
  EXPECT_GE(links[0].statistics.payload_bytes, 450'000u);
  EXPECT_NEAR(links[0].busy_fraction * static_cast<double>(result.time), 10e6, 0.01e6);
  EXPECT_LT(links[1].busy_fraction, 0.01);
  EXPECT_EQ(link_text(links[0], pod.torus()), "chip 0 (0) -> 1 (1)");
  EXPECT_EQ(direction_text(links[1].port, pod.torus()), "x-");
}

}  // namespace
}  // namespace podsim::report
