// Chips of one host: fair shares of what they share, switches, pinned and pageable buffers.
#include <gtest/gtest.h>

#include <map>

#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::Buffer;
using firmware::Device;
using firmware::DType;
using firmware::Pinning;
using firmware::Task;

class HostSharing : public ::testing::Test {
 protected:
  void build(pod::PodConfig config) {
    pod_ = std::make_unique<pod::Pod>(config, /*with_data=*/false);
    launcher_ = std::make_unique<run::Launcher>(*pod_, run::RunOptions{.checks = run::CheckLevel::kNone});
  }
  // Each chip makes so many copies of `bytes` at once; returns when each chip's last one has ended.
  std::map<std::uint32_t, Picoseconds> run(const std::vector<unsigned>& copies, Bytes bytes, bool out,
                                           Pinning pinning = Pinning::kPinned) {
    std::map<std::uint32_t, Picoseconds> ends;
    const run::LaunchResult result = launcher_->launch([&](Device& chip) -> Task {
      const unsigned count = copies.at(index(chip.id()));
      const Buffer data = chip.allocate().hbm(bytes, DType::kS8);
      const Buffer host = chip.allocate().host(bytes * count, DType::kS8, pinning);
      const auto done = chip.allocate().dma_semaphores("done", 1)[0];
      for (unsigned i = 0; i < count; ++i) {
        const Buffer place = host.slice({i * bytes, (i + 1) * bytes});
        out ? chip.start_copy(data, place, done) : chip.start_copy(place, data, done);
      }
      if (count > 0) co_await chip.wait(done, count * bytes);
      ends[index(chip.id())] = chip.now();
    });
    EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
    return ends;
  }
  static pod::PodConfig eight_chips() {
    pod::PodConfig config = testing::pod_config({{8}});
    config.host.chips = 8;
    return config;
  }
  static double GBps(Bytes bytes, Picoseconds time) {
    return static_cast<double>(bytes) * 1e3 / static_cast<double>(time);
  }
  std::unique_ptr<pod::Pod> pod_;
  std::unique_ptr<run::Launcher> launcher_;
};

// The way up has room for two links, and eight chips want it.
TEST_F(HostSharing, ChipsThatWantTheSameGetTheSame) {
  for (const bool out : {true, false}) {
    pod::PodConfig config = eight_chips();
    config.host.root_complex.bandwidth_per_direction = {26'000'000'000};
    if (pod_ == nullptr) build(config);
    const Picoseconds start = pod_->queue().now();
    const auto ends = run(std::vector<unsigned>(8, 1), 8 * kMiB, out);
    for (const auto& [chip, end] : ends) {
      EXPECT_NEAR(GBps(8 * kMiB, end - start), 26.0 / 8, 0.05) << "chip " << chip << (out ? " out" : " in");
    }
  }
}

// Chip 0 has twelve copies under way, the others one: it gets no more than they while they are at it.
TEST_F(HostSharing, MoreCopiesDoNotMakeAChipsShareLarger) {
  for (const bool out : {true, false}) {
    pod::PodConfig config = eight_chips();
    config.host.root_complex.bandwidth_per_direction = {26'000'000'000};
    if (pod_ == nullptr) build(config);
    const Picoseconds start = pod_->queue().now();
    std::vector<unsigned> copies(8, 1);
    copies[0] = 12;
    const auto ends = run(copies, 4 * kMiB, out);
    for (std::uint32_t chip = 1; chip < 8; ++chip) {
      EXPECT_NEAR(GBps(4 * kMiB, ends.at(chip) - start), 26.0 / 8, 0.15) << "chip " << chip << (out ? " out" : " in");
    }
  }
}

TEST_F(HostSharing, ASwitchsWayUpIsSharedByItsChipsAlone) {
  pod::PodConfig config = eight_chips();
  config.host.switches = {.chips = 4, .bandwidth_per_direction = {20'000'000'000}, .latency = {100'000}};
  build(config);
  const auto ends = run({1, 1, 1, 1, 1, 0, 0, 0}, 8 * kMiB, true);
  for (std::uint32_t chip = 0; chip < 4; ++chip) EXPECT_NEAR(GBps(8 * kMiB, ends.at(chip)), 5.0, 0.05);
  const pcie::PcieOverhead overhead(config.chip.pcie);
  const double link = static_cast<double>(overhead.write_bandwidth(16 * kKiB).bytes_per_second) / 1e9;
  EXPECT_NEAR(GBps(8 * kMiB, ends.at(4)), link, 0.1) << "alone on the other switch";
  EXPECT_EQ(pod_->hosts()[0]->switches.size(), 2u);
}

// bandwidth <= outstanding reads x MRRS / round trip, where the round trip is the configured latencies'.
TEST_F(HostSharing, OutstandingReadsBoundCopiesIn) {
  constexpr unsigned kTags = 4;
  pod::PodConfig config = testing::pod_config({{1}});
  config.chip.pcie.outstanding_reads = kTags;
  build(config);
  const auto ends = run({1}, 4 * kMiB, false);
  const double round_trip =
      2.0 * (config.chip.pcie.latency.ps + config.host.root_complex.latency.ps) + config.host.memory.read_latency.ps;
  const double bound = kTags * 512 * 1e3 / round_trip;
  EXPECT_LE(GBps(4 * kMiB, ends.at(0)), bound);
  EXPECT_GE(GBps(4 * kMiB, ends.at(0)), 0.9 * bound);
}

// A CPU that copies 8 GB/s is the limit where the link does 13; pieces are copied while others are on the link.
TEST_F(HostSharing, PageableBuffersGoAtTheRateOfTheCpuThatCopies) {
  pod::PodConfig config = testing::pod_config({{1}});
  config.host.staging.copy_bandwidth = {8'000'000'000};
  build(config);
  Picoseconds start = 0;
  for (const bool out : {true, false}) {
    start = pod_->queue().now();
    EXPECT_NEAR(GBps(8 * kMiB, run({1}, 8 * kMiB, out, Pinning::kPageable).at(0) - start), 8.0, 0.1);
    start = pod_->queue().now();
    EXPECT_GT(GBps(8 * kMiB, run({1}, 8 * kMiB, out).at(0) - start), 12.0);
  }
  EXPECT_EQ(pod_->hosts()[0]->staging.statistics().bytes_copied, 2 * 8 * kMiB);
}

}  // namespace
}  // namespace podsim
