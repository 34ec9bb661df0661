// Times of the algorithms against formulas and published figures.
//
//   all-reduce, all axes at once      tends to S (1 - 1/N)/(D b): each of a chip's 2 D links carries 1/(2 D) of 2 S (1
//   - 1/N) all-gather of whole shards        ceil((k-1)/2) (a + S/(k b)) all-to-all, direct                m N k/(8 b):
//   bytes x distance over links recursive doubling, Swing, bucket at 32 bytes: tests/reference/swing_latency.csv
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::Algorithm;
using firmware::CollectiveKind;
using firmware::Directions;
using firmware::DType;
using testing::Shape;

run::Step step(CollectiveKind kind, Algorithm algorithm, Bytes bytes) {
  run::Step step;
  step.collective.kind = kind;
  step.collective.algorithm = algorithm;
  step.collective.type = DType::kS8;
  step.collective.elements = bytes;
  return step;
}

Picoseconds time_of(const pod::PodConfig& config, const run::Step& step) {
  pod::Pod pod(config, /*with_data=*/false);
  const run::StepResult result = run::Runner(pod).run(step);
  EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
  return result.time;
}

// A v5e's figures, packet by packet.
pod::PodConfig packet_config(const Shape& shape) {
  pod::PodConfig config = testing::pod_config(shape);
  config.chip.ici.fidelity = ici::Fidelity::kPacket;
  return config;
}

// Time on a link, one way.
double link_time(const pod::PodConfig& config, double bytes) {
  return bytes * 1e12 / static_cast<double>(config.chip.ici.link.bandwidth_per_direction.bytes_per_second);
}

void expect_near_floor(Picoseconds time, double floor, double excess) {
  EXPECT_GE(static_cast<double>(time), floor) << "beats the floor";
  EXPECT_LE(static_cast<double>(time), (1 + excess) * floor);
}

// Memory fast enough (a TPU7x core's) for the six links of three axes: it is the algorithm that is measured.
pod::PodConfig fast_memory_config(const Shape& shape) {
  pod::PodConfig config = testing::pod_config(shape);
  config.chip.hbm.bandwidth = Bandwidth{3'690'000'000'000};
  return config;
}

// The 2 D links of each chip carry `times` S (1 - 1/N) together.
void expect_all_links_used(const Shape& shape, CollectiveKind kind, double times, double excess = 0.05) {
  const pod::PodConfig config = fast_memory_config(shape);
  const Bytes bytes = kGiB;
  double n = 1;
  for (const unsigned size : shape.sizes) n *= size;
  const double links = 2 * static_cast<double>(shape.sizes.size());
  const double floor = times * link_time(config, static_cast<double>(bytes)) * (1 - 1 / n) / links;
  expect_near_floor(time_of(config, step(kind, Algorithm::kTorus, bytes)), floor, excess);
}

TEST(TorusTiming, AllReduceOverTwoAxes) { expect_all_links_used({{8, 8}, true}, CollectiveKind::kAllReduce, 2); }
TEST(TorusTiming, AllReduceOverThreeAxes) { expect_all_links_used({{4, 4, 4}, true}, CollectiveKind::kAllReduce, 2); }
// Shards come in pieces here.
TEST(TorusTiming, AllGatherOverTwoAxes) { expect_all_links_used({{8, 8}, true}, CollectiveKind::kAllGather, 1); }
TEST(TorusTiming, ReduceScatterOverTwoAxes) {
  expect_all_links_used({{8, 8}, true}, CollectiveKind::kReduceScatter, 1);
}
// What leaves the root, or comes to it; and one relay's eighth of that on its way between the relay and its row.
// The root's chips opposite on a ring of eight are all reached by the same way round, so that links one way carry four
// sevenths.
TEST(TorusTiming, Scatter) {
  expect_all_links_used({{8, 8}, true}, CollectiveKind::kScatter, 1, 8.0 / 7 * (1 + 1.0 / 8) - 1);
}
TEST(TorusTiming, Gather) { expect_all_links_used({{8, 8}, true}, CollectiveKind::kGather, 1, 1.0 / 8 + 0.05); }

// Fewer steps than the ring's, at the same bytes: for small shards about half of the time.
TEST(WholeShardsTiming, HalfOfTheSteps) {
  const pod::PodConfig config = packet_config({{9}, true});
  pod::Pod pod(config, false);
  run::Runner runner(pod);
  const Bytes small = 9 * kKiB;
  const Bytes large = 36 * kMiB;
  const auto time = [&](Algorithm algorithm, Bytes bytes) {
    return static_cast<double>(runner.run(step(CollectiveKind::kAllGather, algorithm, bytes)).time);
  };
  const double hop = static_cast<double>(config.chip.ici.link.hop_latency.ps);
  // 4 steps fewer, of a hop and more each.
  EXPECT_GE(time(Algorithm::kRing, small) - time(Algorithm::kWholeShards, small), 4 * hop);
  const double floor = 4 * link_time(config, static_cast<double>(large) / 9);
  EXPECT_GE(time(Algorithm::kWholeShards, large), floor);
  EXPECT_LE(time(Algorithm::kWholeShards, large), 1.05 * floor);
}

TEST(DirectAllToAllTiming, NearTheFloorOnARing) {
  const pod::PodConfig config = packet_config({{8}, true});
  const Bytes bytes = 64 * kMiB;
  const double floor = link_time(config, static_cast<double>(bytes)) * 8 / 8;  // m N k/(8 b), m N = S
  expect_near_floor(time_of(config, step(CollectiveKind::kAllToAll, Algorithm::kDirect, bytes)), floor, 0.05);
}

// --- 32 bytes on 400 Gb/s tori
// -----------------------------------------------------------------------------------------------

// The paper's network: 400 Gb/s, 100 ns a link and 300 ns a hop. What a step costs beside its hops, 0.507 us, is fitted
// to all of the table's rows (its head); here it is the DMA engine's, and all else on the chip takes next to no time.
constexpr Picoseconds kStep = 507'000;
constexpr Picoseconds kHop = 400'000;

pod::PodConfig swing_config(const Shape& shape) {
  pod::PodConfig config = testing::pod_config(shape);
  config.chip.ici.link.bandwidth_per_direction = Bandwidth{50'000'000'000};
  config.chip.ici.link.hop_latency = Duration{kHop};
  config.chip.dma.issue_cost = Duration{kStep};
  config.chip.scalar_core.clock = Frequency{1'000'000'000'000};
  config.chip.scalar_core.wake_cycles = 0;
  config.chip.tensor_core.clock = Frequency{1'000'000'000'000};
  config.chip.hbm.read_latency = Duration{1};
  config.chip.hbm.write_latency = Duration{1};
  config.chip.vmem.latency = Duration{1};
  return config;
}

struct SwingRow {
  Shape shape;
  double bucket_us;
  double recursive_doubling_us;
  double swing_us;
};

SwingRow row(const std::string& torus) {
  std::ifstream file(std::string(PODSIM_SOURCE_DIR) + "/tests/reference/swing_latency.csv");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(torus + ",", 0) != 0) continue;
    SwingRow row;
    std::istringstream sizes(torus);
    for (std::string size; std::getline(sizes, size, 'x');)
      row.shape.sizes.push_back(static_cast<unsigned>(std::stoul(size)));
    std::istringstream values(line.substr(torus.size() + 1));
    char comma = 0;
    values >> row.bucket_us >> comma >> row.recursive_doubling_us >> comma >> row.swing_us;
    return row;
  }
  ADD_FAILURE() << "no row for " << torus;
  return {};
}

// Printed with two digits, so to half a unit of the second; and within 5 %.
void expect_printed(Picoseconds time, double printed_us) {
  const double unit = printed_us < 10 ? 0.05 : 0.5;
  EXPECT_NEAR(static_cast<double>(time) / 1e6, printed_us, 0.05 * printed_us + unit);
}

class SwingLatency : public ::testing::TestWithParam<const char*> {
 protected:
  // In the paper all ranks are ready at the start. Here a peer says so first, which costs the first step a hop.
  [[nodiscard]] Picoseconds exchange(Algorithm algorithm) const {
    return time_of(swing_config(row(GetParam()).shape), step(CollectiveKind::kAllReduce, algorithm, 32)) - kHop;
  }
};

TEST_P(SwingLatency, RecursiveDoubling) {
  expect_printed(exchange(Algorithm::kRecursiveDoubling), row(GetParam()).recursive_doubling_us);
}
TEST_P(SwingLatency, Swing) { expect_printed(exchange(Algorithm::kSwing), row(GetParam()).swing_us); }

INSTANTIATE_TEST_SUITE_P(Paper, SwingLatency, ::testing::Values("8x8", "8x8x8", "64x64", "64x16", "128x8", "256x4"));

// One-way rings axis by axis; a byte for each rank, so that no shard is empty. The barrier at the start is two hops.
// Square tori only: the table's bucket goes in step along all axes at once, so an axis takes as long as the longest
// (64x16 as long as 64x64), while here each is done after its own k-1 steps.
class BucketLatency : public ::testing::TestWithParam<const char*> {};
TEST_P(BucketLatency, AxisByAxis) {
  const SwingRow expected = row(GetParam());
  Bytes ranks = 1;
  for (const unsigned size : expected.shape.sizes) ranks *= size;
  run::Step bucket = step(CollectiveKind::kAllReduce, Algorithm::kRing, ranks);
  bucket.collective.directions = Directions::kOneWay;
  expect_printed(time_of(swing_config(expected.shape), bucket) - 2 * kHop, expected.bucket_us);
}
INSTANTIATE_TEST_SUITE_P(Paper, BucketLatency, ::testing::Values("8x8", "8x8x8"));

}  // namespace
}  // namespace podsim
