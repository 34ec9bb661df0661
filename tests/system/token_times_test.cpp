// Exposed and hidden time of host copies, against a calculation from the configuration alone:
//
//   out: descriptor, issue, HBM's read latency, the packets on the wire, latencies up to and into host memory, wake-up
//   in:  descriptor, issue, the round trip, the completions on the wire, HBM's write latency, wake-up
//
// A program that does something else for a time G after the start waits for what is left: max(0, T - G).
#include <gtest/gtest.h>

#include "platform/run/launcher.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::Buffer;
using firmware::Device;
using firmware::DType;
using firmware::Task;
using firmware::Token;
using firmware::TokenTimes;

constexpr Bytes kBytes = 2 * kMiB;

class TokenTiming : public ::testing::Test {
 protected:
  TokenTiming() {
    pod_ = std::make_unique<pod::Pod>(testing::pod_config({{1}}), /*with_data=*/false);
    launcher_ = std::make_unique<run::Launcher>(*pod_, run::RunOptions{.checks = run::CheckLevel::kNone});
  }
  static Task copy(Device& chip, Buffer from, Buffer to) {
    const auto done = chip.allocate().dma_semaphores("done", 1)[0];
    co_await chip.start_copy(from, to, done);
  }
  TokenTimes run(bool out, Picoseconds gap) {
    launcher_->reset_allocation();
    const run::LaunchResult result = launcher_->launch([&](Device& chip) -> Task {
      const Buffer hbm = chip.allocate().hbm(kBytes, DType::kS8);
      const Buffer host = chip.allocate().host(kBytes, DType::kS8);
      Token token = chip.spawn(out ? copy(chip, hbm, host) : copy(chip, host, hbm), "copy");
      co_await chip.delay(gap);
      co_await token;
    });
    EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
    const auto times = launcher_->device(ChipId{0}).token_times();
    return times.at(0);
  }
  [[nodiscard]] Picoseconds cycles(unsigned n) const {
    return static_cast<Picoseconds>(n) * config().scalar_core.clock.time_for(1);
  }
  [[nodiscard]] const pod::ChipConfig& config() const { return pod_->config().chip; }
  // From issue to the program's going on.
  [[nodiscard]] Picoseconds calculated(bool out) const {
    const pod::HostConfig& host = pod_->config().host;
    const pcie::PcieOverhead overhead(config().pcie);
    const SerialisationTime wire(overhead.packet_bandwidth());
    const Bytes burst = config().dma.host_burst.bytes;
    const auto bursts = static_cast<Picoseconds>(kBytes / burst);
    const Picoseconds start = cycles(6) + config().dma.issue_cost.ps;
    const Picoseconds end = config().scalar_core.clock.time_for(config().scalar_core.wake_cycles);
    if (out) {
      return start + config().hbm.read_latency.ps + bursts * wire(overhead.write_on_wire(burst)) +
             config().pcie.latency.ps + host.root_complex.latency.ps + host.memory.write_latency.ps + end;
    }
    return start + 2 * config().pcie.latency.ps + 2 * host.root_complex.latency.ps + host.memory.read_latency.ps +
           bursts * wire(overhead.completions_on_wire(burst)) + config().hbm.write_latency.ps + end;
  }

  std::unique_ptr<pod::Pod> pod_;
  std::unique_ptr<run::Launcher> launcher_;
};

TEST_F(TokenTiming, WithoutAGapAllIsExposed) {
  for (const bool out : {true, false}) {
    const TokenTimes times = run(out, 0);
    EXPECT_NEAR(static_cast<double>(times.took()), static_cast<double>(calculated(out)), 2000.0) << out;
    // The program waits from the moment at which the core has issued the copy's seven words.
    EXPECT_EQ(times.hidden(), cycles(7));
    EXPECT_EQ(times.exposed, times.took() - cycles(7));
  }
}

TEST_F(TokenTiming, WithALargeGapNothingIs) {
  for (const bool out : {true, false}) {
    const TokenTimes times = run(out, 2 * calculated(out));
    EXPECT_EQ(times.exposed, 0) << out;
    EXPECT_NEAR(static_cast<double>(times.hidden()), static_cast<double>(calculated(out)), 2000.0);
  }
}

TEST_F(TokenTiming, InBetweenTheRestIs) {
  for (const bool out : {true, false}) {
    for (const int tenths : {1, 5, 9}) {
      const Picoseconds gap = calculated(out) * tenths / 10;
      const TokenTimes times = run(out, gap);
      EXPECT_NEAR(static_cast<double>(times.exposed), static_cast<double>(calculated(out) - cycles(7) - gap), 2000.0);
      EXPECT_EQ(times.hidden(), cycles(7) + gap);
    }
  }
}

}  // namespace
}  // namespace podsim
