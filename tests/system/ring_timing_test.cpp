// Uncontended ring times against the formulas of the field, plus the costs that each step adds. k chips on an axis, S
// bytes, b bytes/s one way on one link, a = what a step costs beside its bytes:
//
//   all-gather one way       (k-1)(a + S/(k b))
//   all-gather both ways     (k-1)(a + S/(2 k b))
//   all-gather on a line     (k-1)(a + S/(k b))
//   all-reduce, both ways, bandwidth-bound   2 (k-1) S/(2 k b)
//   all-to-all, both ways    S k/(8 b) + (k/2) a
//
// with one message a step (`chunks: 1`): chunks hide the per-step cost, and come closer to the floor than the formula.
// (Thakur, Rabenseifner and Gropp 2005 for the rings; the all-to-all floor is bytes x distance over links.) The
// per-step cost is written out below from the configuration alone. No run may beat the floor: its bytes over its
// busiest cut.
#include <gtest/gtest.h>

#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::CollectiveKind;
using firmware::Directions;
using firmware::DType;

class RingTiming : public ::testing::Test {
 protected:
  Picoseconds run(const testing::Shape& shape, CollectiveKind kind, Directions directions, Bytes bytes,
                  unsigned chunks = 0) {
    pod_ = std::make_unique<pod::Pod>(testing::pod_config(shape), /*with_data=*/false);
    runner_ = std::make_unique<run::Runner>(*pod_);
    return again(kind, directions, bytes, chunks);
  }
  Picoseconds again(CollectiveKind kind, Directions directions, Bytes bytes, unsigned chunks = 0) {
    run::Step step;
    step.collective.kind = kind;
    step.collective.algorithm = firmware::Algorithm::kRing;
    step.collective.directions = directions;
    step.collective.type = DType::kS8;
    step.collective.elements = bytes;
    step.collective.chunks = chunks;
    const run::StepResult result = runner_->run(step);
    EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
    return result.time;
  }

  // Time on a link, one way.
  [[nodiscard]] double link_time(double bytes) const {
    return bytes * 1e12 / static_cast<double>(config().chip.ici.link.bandwidth_per_direction.bytes_per_second);
  }
  // a: descriptor (6 bus words), DMA issue, first byte out of HBM, the hop, the last byte's way into HBM, and the
  // program's two waits (one word each, and the core's wake-up).
  [[nodiscard]] double step_cost() const {
    const pod::ChipConfig& chip = config().chip;
    const auto cycle = static_cast<double>(chip.scalar_core.clock.time_for(1));
    return (6 + 2 * 1 + 2 * chip.scalar_core.wake_cycles) * cycle + static_cast<double>(chip.dma.issue_cost.ps) +
           static_cast<double>(chip.hbm.read_latency.ps) + static_cast<double>(chip.ici.link.hop_latency.ps) +
           static_cast<double>(chip.hbm.write_latency.ps);
  }
  // Two rounds of a signal each way: a bus word for each neighbour, the hop, eight bytes on the link, the wait.
  [[nodiscard]] double barrier_cost(unsigned neighbours) const {
    const pod::ChipConfig& chip = config().chip;
    const auto cycle = static_cast<double>(chip.scalar_core.clock.time_for(1));
    return 2 * ((neighbours + chip.scalar_core.wake_cycles) * cycle +
                static_cast<double>(chip.ici.link.hop_latency.ps) + link_time(8));
  }
  [[nodiscard]] const pod::PodConfig& config() const { return pod_->config(); }

  std::unique_ptr<pod::Pod> pod_;
  std::unique_ptr<run::Runner> runner_;
};

constexpr double kPercent = 0.01;

void expect_within_a_percent(Picoseconds measured, double expected) {
  EXPECT_NEAR(static_cast<double>(measured), expected, kPercent * expected);
}

TEST_F(RingTiming, AllGatherOneWay) {
  for (const Bytes bytes : {4 * kKiB, kMiB, 64 * kMiB}) {
    const Picoseconds time = pod_ ? again(CollectiveKind::kAllGather, Directions::kOneWay, bytes, 1)
                                  : run({{8}, true}, CollectiveKind::kAllGather, Directions::kOneWay, bytes, 1);
    expect_within_a_percent(time, barrier_cost(2) + 7 * (step_cost() + link_time(static_cast<double>(bytes) / 8)));
    EXPECT_GE(static_cast<double>(time), 7 * link_time(static_cast<double>(bytes) / 8)) << "beats the floor";
  }
}

TEST_F(RingTiming, AllGatherBothWays) {
  for (const Bytes bytes : {4 * kKiB, kMiB, 64 * kMiB}) {
    const Picoseconds time = pod_ ? again(CollectiveKind::kAllGather, Directions::kBothWays, bytes, 1)
                                  : run({{8}, true}, CollectiveKind::kAllGather, Directions::kBothWays, bytes, 1);
    // The second stream's descriptor waits for the first's: 7 bus words at most, and once the engine's issue cost.
    const double core = 7 * static_cast<double>(config().chip.scalar_core.clock.time_for(1));
    const double issue = static_cast<double>(config().chip.dma.issue_cost.ps);
    const double step = step_cost() + link_time(static_cast<double>(bytes) / 16);
    EXPECT_GE(static_cast<double>(time), 7 * link_time(static_cast<double>(bytes) / 16)) << "beats the floor";
    // From 256 KiB a step on, chunks hide what a step costs beside its bytes, but for the first one.
    const double hidden = bytes / 16 < 256 * kKiB ? 0 : 6 * step_cost();
    EXPECT_GE(static_cast<double>(time), (1 - kPercent) * (barrier_cost(2) + 7 * step - hidden));
    EXPECT_LE(static_cast<double>(time), (1 + kPercent) * (barrier_cost(2) + issue + 7 * (step + core)));
  }
}

TEST_F(RingTiming, AllGatherOnALine) {
  const Bytes bytes = 32 * kMiB;
  const Picoseconds time = run({{4}, false}, CollectiveKind::kAllGather, Directions::kBothWays, bytes, 1);
  expect_within_a_percent(time, barrier_cost(2) + 3 * (step_cost() + link_time(static_cast<double>(bytes) / 4)));
}

TEST_F(RingTiming, ReduceScatterHidesItsAdditionsUnderTheHops) {
  const Bytes bytes = 256 * kMiB;
  const Picoseconds time = run({{16}, true}, CollectiveKind::kReduceScatter, Directions::kBothWays, bytes);
  const double floor = 15 * link_time(static_cast<double>(bytes) / 32);
  EXPECT_GE(static_cast<double>(time), floor);
  EXPECT_LE(static_cast<double>(time), 1.01 * (floor + barrier_cost(2) + 15 * step_cost()));
}

TEST_F(RingTiming, AllReduceOverARing) {
  const Bytes bytes = 256 * kMiB;
  const Picoseconds time = run({{16}, true}, CollectiveKind::kAllReduce, Directions::kBothWays, bytes);
  const double floor = 2 * 15 * link_time(static_cast<double>(bytes) / 32);
  EXPECT_GE(static_cast<double>(time), floor);
  EXPECT_LE(static_cast<double>(time), 1.01 * (floor + barrier_cost(2) + 30 * step_cost()));
}

TEST_F(RingTiming, AllReduceOverTwoAxesInSequence) {
  const Bytes bytes = 256 * kMiB;
  const Picoseconds time = run({{8, 8}, true}, CollectiveKind::kAllReduce, Directions::kBothWays, bytes);
  const double s = static_cast<double>(bytes);
  const double floor = 2 * 7 * (link_time(s / 16) + link_time(s / 8 / 16));
  EXPECT_GE(static_cast<double>(time), floor);
  EXPECT_LE(static_cast<double>(time), 1.01 * (floor + barrier_cost(4) + 28 * step_cost()));
}

TEST_F(RingTiming, ReduceScatterWithoutChunksPaysForEachAddition) {
  const Bytes bytes = 64 * kMiB;
  const Picoseconds time = run({{8}, true}, CollectiveKind::kReduceScatter, Directions::kOneWay, bytes, 1);
  const double step = step_cost() + link_time(static_cast<double>(bytes) / 8);
  // An addition reads this chip's own from HBM, and what has arrived from VMEM: no faster than a pass at HBM's peak.
  const double addition =
      (static_cast<double>(bytes) / 8) * 1e12 / static_cast<double>(config().chip.hbm.bandwidth.bytes_per_second);
  EXPECT_GE(static_cast<double>(time), 7 * (step + addition));
  EXPECT_LE(static_cast<double>(time), 1.01 * (barrier_cost(2) + 7 * (step + 1.5 * addition)));
}

TEST_F(RingTiming, AllToAll) {
  const Bytes bytes = 64 * kMiB;
  const Picoseconds time = run({{8}, true}, CollectiveKind::kAllToAll, Directions::kBothWays, bytes);
  const double floor = link_time(static_cast<double>(bytes)) * 8 / 8;  // S k/(8 b)
  EXPECT_GE(static_cast<double>(time), floor);
  EXPECT_LE(static_cast<double>(time), 1.01 * (floor + barrier_cost(2) + 4 * step_cost()));
}

TEST_F(RingTiming, PermuteToTheNeighbour) {
  pod_ = std::make_unique<pod::Pod>(testing::pod_config({{4}, true}), false);
  runner_ = std::make_unique<run::Runner>(*pod_);
  run::Step step;
  step.collective.kind = CollectiveKind::kCollectivePermute;
  step.collective.type = DType::kS8;
  step.collective.elements = 16 * kMiB;
  for (std::uint32_t i = 0; i < 4; ++i) {
    step.collective.pairs.emplace_back(static_cast<ChipId>(i), static_cast<ChipId>((i + 1) % 4));
  }
  const run::StepResult result = runner_->run(step);
  // The target's word that it is ready takes half a barrier.
  expect_within_a_percent(result.time, barrier_cost(1) / 2 + step_cost() + link_time(16.0 * kMiB));
}

}  // namespace
}  // namespace podsim
