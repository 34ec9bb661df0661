// Copies and the host against figures from outside: worked problems of "How to Scale Your Model"
// (jax-ml.github.io/scaling-book, chapter "How to Think About TPUs"), whose numbers are named at each test.
#include <gtest/gtest.h>

#include "platform/config/layers.h"
#include "platform/config/pod_reader.h"
#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::Buffer;
using firmware::Device;
using firmware::DmaSemaphore;
using firmware::DType;
using firmware::Range;
using firmware::Task;

pod::PodConfig chip_preset(const char* name) { return config::read_chip(name, PODSIM_SOURCE_DIR); }

class OutsideFigures : public ::testing::Test {
 protected:
  void build(const pod::PodConfig& config) {
    pod_ = std::make_unique<pod::Pod>(config, /*with_data=*/false);
    launcher_ = std::make_unique<run::Launcher>(*pod_, run::RunOptions{.checks = run::CheckLevel::kNone});
  }
  Picoseconds run(const std::function<Task(Device&)>& program) {
    const run::LaunchResult result = launcher_->launch(program);
    EXPECT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
    return result.time;
  }
  std::unique_ptr<pod::Pod> pod_;
  std::unique_ptr<run::Launcher> launcher_;
};

// bf16[8, 128, 8192] from (0,0) to (3,3) of a v5e 4x4 over two ports: 1 us a hop, 6 hops; 16.78 MB / 2 / 45 GB/s =
// 186.4 us and 6 us more. Half goes along x first, the other half along y first, by way of a relay at the corner, since
// routers go along x first; the relay passes on piece by piece.
TEST_F(OutsideFigures, CornerToCornerOverTwoPorts) {
  pod::PodConfig config = chip_preset("tpu-v5e");
  config.topology.axes = {{"x", 4, pod::Wrap::kNo}, {"y", 4, pod::Wrap::kNo}};
  build(config);
  constexpr std::uint64_t kElements = 8 * 128 * 8192;
  constexpr unsigned kPieces = 64;
  const ChipId from = pod_->torus().chip_at({0, 0}), relay = pod_->torus().chip_at({0, 3}),
               to = pod_->torus().chip_at({3, 3});
  Picoseconds first_byte = 0;
  pod_->chip(to).hbm.accesses.attach([&](const memory::MemoryAccess& access) {
    if (access.write && first_byte == 0) first_byte = access.first_byte;
  });
  const Picoseconds time = run([&](Device& chip) -> Task {
    const Buffer data = chip.allocate().hbm(kElements, DType::kBf16);
    const auto s = chip.allocate().dma_semaphores("s", 4);
    const Buffer direct = data.shard(0, 2), relayed = data.shard(1, 2);
    if (chip.id() == from) {
      const auto x_first = chip.start_remote_copy({.src = direct, .dst = direct, .to = to, .send = s[0], .recv = s[1]});
      for (unsigned i = 0; i < kPieces; ++i) {
        const Buffer piece = relayed.shard(i, kPieces);
        chip.start_remote_copy({.src = piece, .dst = piece, .to = relay, .send = s[2], .recv = s[3]});
      }
      co_await x_first.wait_send();
      co_await chip.wait(s[2], relayed.bytes());
    } else if (chip.id() == relay) {
      for (unsigned i = 0; i < kPieces; ++i) {
        const Buffer piece = relayed.shard(i, kPieces);
        co_await chip.wait(s[3], piece.bytes());  // copies between two chips arrive in the order of their issue
        chip.start_remote_copy({.src = piece, .dst = piece, .to = to, .send = s[2], .recv = s[1]});
      }
      co_await chip.wait(s[2], relayed.bytes());
    } else if (chip.id() == to) {
      co_await chip.wait(s[1], data.bytes());
    }
  });
  RecordProperty("time_ps", std::to_string(time));
  RecordProperty("first_byte_ps", std::to_string(first_byte));
  const auto us = [](Picoseconds ps) { return static_cast<double>(ps) / 1e6; };
  EXPECT_NEAR(us(first_byte), 6.0, 0.5);
  EXPECT_GE(us(time), 186.4 + 6);
  EXPECT_NEAR(us(time), 186.4 + 6, 0.03 * 192.4);
}

// 12.5e9 B of a chip's HBM at 1.23e12 B/s: about 10 ms. A hundredth of it is copied from HBM to VMEM, where it is used.
TEST_F(OutsideFigures, LoadingAChipsHbm) {
  build(chip_preset("tpu-v4"));
  constexpr Bytes kBytes = 125'000'000;
  const Picoseconds time = run([&](Device& chip) -> Task {
    const Bytes piece = 8 * kMiB;
    const Buffer weights = chip.allocate().hbm(kBytes, DType::kS8);
    const Buffer window = chip.allocate().vmem(piece, DType::kS8);
    const DmaSemaphore done = chip.allocate().dma_semaphores("done", 1)[0];
    for (Bytes at = 0; at < kBytes; at += piece) {
      const Buffer part = weights.slice({at, std::min(kBytes, at + piece)});
      chip.start_copy(part, window.slice({0, part.elements}), done);
    }
    co_await chip.wait(done, kBytes);
  });
  const double expected = kBytes / 1.23e12 * 1e12;
  RecordProperty("ratio", std::to_string(static_cast<double>(time) / expected));
  EXPECT_GE(static_cast<double>(time), expected);
  EXPECT_LE(static_cast<double>(time), 1.15 * expected) << "refresh takes its part";
}

// Weights in host memory, fed over PCIe at 1.5e10 B/s to a v6e of 9.2e14 FLOP/s: a matmul of bf16 is bound by its FLOPs
// for batches of more than 61,000. Here the bandwidth is what a copy of weights into HBM gets over a link of the
// generation that has 1.5e10 B/s, and the FLOP/s are the matrix units'.
TEST_F(OutsideFigures, CriticalBatchOfWeightsFedOverPcie) {
  pod::PodConfig config = chip_preset("tpu-v6e");
  config.chip.pcie.generation = 3;
  build(config);
  constexpr Bytes kWeights = 128 * kMiB;
  const Picoseconds time = run([&](Device& chip) -> Task {
    const Buffer host = chip.allocate().host(kWeights / 2, DType::kBf16);
    const Buffer weights = chip.allocate().hbm(kWeights / 2, DType::kBf16);
    co_await chip.start_copy(host, weights, chip.allocate().dma_semaphores("done", 1)[0]);
  });
  const tensor_core::TensorCoreConfig& core = config.chip.tensor_core;
  const double flops = 2.0 * config.chip.tensor_cores * core.mxu_count * core.mxu_rows * core.mxu_columns *
                       static_cast<double>(core.clock.hertz);
  // A weight of two bytes takes two FLOPs for each row of the batch.
  const double batch = flops * static_cast<double>(time) * 1e-12 / kWeights;
  RecordProperty("batch", std::to_string(batch));
  EXPECT_NEAR(batch, 61'000, 0.15 * 61'000);
}

// What a chip's host can be given: 16 GB/s a chip on v4, v5e and v5p, 32 GB/s on v6e, less what PCIe's packets take,
// while all chips of the host send.
TEST_F(OutsideFigures, GatheringAtTheHost) {
  pod::PodConfig config = chip_preset("tpu-v5e");
  config.topology.axes = {{"x", 4, pod::Wrap::kNo}, {"y", 2, pod::Wrap::kNo}};
  build(config);
  constexpr Bytes kBytes = 64 * kMiB;
  const Picoseconds time = run([&](Device& chip) -> Task {
    const Buffer data = chip.allocate().hbm(kBytes, DType::kS8);
    const Buffer host = chip.allocate().host(kBytes, DType::kS8);
    co_await chip.start_copy(data, host, chip.allocate().dma_semaphores("done", 1)[0]);
  });
  const double GBps = static_cast<double>(kBytes) * 1e3 / static_cast<double>(time);
  RecordProperty("GBps_per_chip", std::to_string(GBps));
  EXPECT_LE(GBps, 16.0);
  const pcie::PcieOverhead overhead(config.chip.pcie);
  EXPECT_NEAR(GBps, static_cast<double>(overhead.write_bandwidth(16 * kKiB).bytes_per_second) / 1e9, 0.1);
}

}  // namespace
}  // namespace podsim
