// The fidelities of the interconnect against each other: what burst and flow may differ from packet, and save. And
// against the floor: nothing beats bytes over bandwidth.
#include <gtest/gtest.h>

#include <cmath>

#include "platform/run/runner.h"
#include "tests/support/fresh_simulation.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::Algorithm;
using firmware::CollectiveKind;
using ici::Fidelity;

run::StepResult run_at(Fidelity fidelity, const testing::Shape& shape, const run::Step& step, bool credits = true) {
  testing::fresh_simulation();
  pod::PodConfig config = testing::pod_config(shape);
  config.chip.ici.fidelity = fidelity;
  config.chip.ici.router.credits = credits;
  pod::Pod pod(config, /*with_data=*/false);
  run::Runner runner(pod);
  run::StepResult result = runner.run(step);
  EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
  EXPECT_TRUE(pod.interconnect_idle());
  return result;
}

run::Step collective(CollectiveKind kind, Algorithm algorithm, Bytes bytes) {
  run::Step step;
  step.collective.kind = kind;
  step.collective.algorithm = algorithm;
  step.collective.type = firmware::DType::kS8;
  step.collective.elements = bytes;
  return step;
}

// |time / reference - 1| in percent.
double error(const run::StepResult& result, const run::StepResult& reference) {
  return 100 * std::abs(static_cast<double>(result.time) / static_cast<double>(reference.time) - 1);
}

TEST(Fidelity, NeighbourRingsAreTheSameWithFiftyTimesFewerEvents) {
  const testing::Shape ring{{8}, true};
  for (const auto kind : {CollectiveKind::kAllGather, CollectiveKind::kAllReduce}) {
    const run::Step step = collective(kind, Algorithm::kRing, 64 * kMiB);
    const run::StepResult packet = run_at(Fidelity::kPacket, ring, step);
    for (const Fidelity fidelity : {Fidelity::kBurst, Fidelity::kFlow}) {
      const run::StepResult result = run_at(fidelity, ring, step);
      EXPECT_LE(error(result, packet), 0.5);
      // An all-reduce's additions have events of their own, the same at every fidelity.
      if (kind == CollectiveKind::kAllGather) {
        EXPECT_LE(50 * result.events, packet.events);
      }
    }
  }
}

// S k/(8 b) on an even ring or torus, for k chips on the longest axis.
Picoseconds all_to_all_floor(Bytes bytes, unsigned k) {
  return SerialisationTime(ici::LinkConfig{}.bandwidth_per_direction)(bytes * k / 8);
}

TEST(Fidelity, AllToAllAtOnceIsWithinThreePercentAndAboveTheFloor) {
  const testing::Shape torus{{8, 8}, true};
  const Bytes bytes = 8 * kMiB;
  const run::Step step = collective(CollectiveKind::kAllToAll, Algorithm::kDirect, bytes);
  // Both model endless buffers. What finite ones cost is no error of theirs: docs/fabric.md shows it apart.
  const run::StepResult packet = run_at(Fidelity::kPacket, torus, step, /*credits=*/false);
  for (const Fidelity fidelity : {Fidelity::kBurst, Fidelity::kFlow}) {
    const run::StepResult result = run_at(fidelity, torus, step);
    EXPECT_LE(error(result, packet), 3.0);
    // What stays on the chip itself, 1 in 64, takes no link.
    EXPECT_GE(result.time, all_to_all_floor(bytes, 8));
    EXPECT_LT(result.events, packet.events);
  }
}

TEST(Fidelity, ACopyToAChipInTheBackgroundSlowsACollectiveAlike) {
  const testing::Shape torus{{4, 4}, true};
  run::Step step = collective(CollectiveKind::kAllReduce, Algorithm::kRing, 16 * kMiB);
  run::Step permute = collective(CollectiveKind::kCollectivePermute, Algorithm::kAuto, 8 * kMiB);
  for (std::uint32_t i = 0; i < 16; ++i) {
    permute.collective.pairs.emplace_back(static_cast<ChipId>(i), static_cast<ChipId>((i + 6) % 16));
  }
  const run::StepResult alone = run_at(Fidelity::kPacket, torus, step);
  step.beside.push_back(permute);
  const run::StepResult packet = run_at(Fidelity::kPacket, torus, step);
  ASSERT_EQ(packet.beside.size(), 1u);
  EXPECT_GT(packet.time, alone.time + alone.time / 20) << "the permute takes something of the links";
  for (const Fidelity fidelity : {Fidelity::kBurst, Fidelity::kFlow}) {
    EXPECT_LE(error(run_at(fidelity, torus, step), packet), 10.0);
  }
}

}  // namespace
}  // namespace podsim
