// The barrier on a real pod: nobody leaves before all neighbours have come, however often it is entered and however slow one
// of them is.
#include "firmware/collectives/barrier.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "firmware/collectives/group.h"
#include "platform/run/launcher.h"
#include "tests/support/pods.h"

namespace podsim::firmware {
namespace {

const std::vector<ici::Axis> kAllAxes;  // none named

class BarrierTest : public ::testing::TestWithParam<testing::Shape> {
 protected:
  static constexpr unsigned kRounds = 3;
  static constexpr Picoseconds kSlow = 500 * kPicosecondsPerMicrosecond;

  Task enter_again_and_again(Device& chip, ChipId slow) {
    const RegularSemaphore second_round = chip.allocate().regular_semaphores("second round", 1)[0];
    const std::vector<ChipId> neighbours = Group(chip.torus(), chip.id(), kAllAxes).neighbours();
    for (unsigned round = 0; round < kRounds; ++round) {
      if (chip.id() == slow) co_await chip.delay(kSlow);
      entered[index(chip.id())][round] = chip.now();
      co_await barrier(chip, neighbours, 0, second_round);
      left[index(chip.id())][round] = chip.now();
    }
  }
  std::map<std::uint32_t, std::array<Picoseconds, kRounds>> entered, left;
};

TEST_P(BarrierTest, NobodyLeavesBeforeItsNeighboursHaveCome) {
  pod::Pod pod(testing::pod_config(GetParam()), false);
  run::Launcher launcher(pod);
  const auto slow = static_cast<ChipId>(pod.size() - 1);
  const run::LaunchResult result = launcher.launch(
      [&](Device& chip) { return enter_again_and_again(chip, slow); }, kPicosecondsPerSecond);
  ASSERT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
  for (std::uint32_t i = 0; i < pod.size(); ++i) {
    for (const ChipId neighbour : Group(pod.torus(), static_cast<ChipId>(i), kAllAxes).neighbours()) {
      for (unsigned round = 0; round < kRounds; ++round) {
        EXPECT_GE(left[i][round], entered[index(neighbour)][round]) << "chip " << i << " round " << round;
      }
    }
  }
  EXPECT_GE(entered[index(slow)][kRounds - 1], kRounds * kSlow);
}

INSTANTIATE_TEST_SUITE_P(Shapes, BarrierTest,
                         ::testing::Values(testing::Shape{{2}}, testing::Shape{{4}}, testing::Shape{{5}, false},
                                           testing::Shape{{4, 4}}, testing::Shape{{2, 3}, false}),
                         [](const auto& param) { return param.param.name(); });

// Two chips that meet at the same time: two rounds, each a word, the hop, eight bytes on the link, a word and a wake-up; the
// wait's word goes out long before its answer.
TEST(Barrier, CostsTwoHopsBetweenTwoChips) {
  pod::Pod pod(testing::pod_config({{2}}), false);
  run::Launcher launcher(pod);
  const run::LaunchResult result = launcher.launch(
      [](Device& chip) -> Task {
        return barrier(chip, {static_cast<ChipId>(1 - index(chip.id()))}, 0,
                       chip.allocate().regular_semaphores("second round", 1)[0]);
      },
      kPicosecondsPerSecond);
  const pod::ChipConfig& chip = pod.config().chip;
  const Picoseconds word = chip.scalar_core.clock.time_for(1);
  const Picoseconds wake = chip.scalar_core.clock.time_for(chip.scalar_core.wake_cycles);
  const Wide rate = chip.ici.link.bandwidth_per_direction.bytes_per_second;
  const auto eight_bytes = static_cast<Picoseconds>((Wide{8} * kPicosecondsPerSecond + rate - 1) / rate);
  EXPECT_EQ(result.time, 2 * (word + chip.ici.link.hop_latency.ps + eight_bytes + wake));
}

TEST(Barrier, WithoutNeighboursIsNothing) {
  pod::Pod pod(testing::pod_config({{1}}), false);
  run::Launcher launcher(pod);
  const run::LaunchResult result = launcher.launch(
      [](Device& chip) -> Task {
        return barrier(chip, {}, 0, chip.allocate().regular_semaphores("second round", 1)[0]);
      },
      kPicosecondsPerSecond);
  EXPECT_EQ(result.outcome, run::Outcome::kCompleted);
  EXPECT_EQ(result.time, 0);
}

}  // namespace
}  // namespace podsim::firmware
