// When vector commands complete, against what follows on paper from the block's header. In all of these: cycle 1 ns,
// issue 10 ns, 8 elements per cycle, bursts of 256 bytes (64 f32, 8 ns of arithmetic), two outstanding bursts.
#include "tests/unit/tensor_core/tensor_core_fixture.h"

namespace podsim::testing {
namespace {

using tensor_core::Command;
using tensor_core::DType;
using tensor_core::Opcode;

constexpr Bytes kBurst = 256;
constexpr std::uint64_t kBurstElements = kBurst / 4;

class VectorTiming : public TensorCoreTest {
 protected:
  static constexpr Picoseconds kArithmetic = 8 * kNs;

  static Command command(Opcode opcode, std::uint64_t count) {
    return {.opcode = opcode,
            .type = DType::kF32,
            .a = hbm(0),
            .b = hbm(0x10000),
            .destination = hbm(0x20000),
            .count = count,
            .semaphore = semaphore(8),
            .amount = 5};
  }
  // Runs the command, and checks that the semaphore is told at `expected` and not a picosecond earlier.
  void expect_completion(Bench& bench, const Command& what, Picoseconds expected) {
    ASSERT_EQ(bench.source.write(what).status, tlm::TLM_COMPLETED);
    run_until(expected - 1);
    EXPECT_TRUE(bench.memory.signals.empty()) << "at " << bench.memory.signals.front().at << " ps";
    EXPECT_FALSE(bench.core.idle());
    run_until(expected + 1);
    ASSERT_EQ(bench.memory.signals.size(), 1u) << "not at " << expected << " ps";
    EXPECT_EQ(bench.memory.signals[0].at, expected);
    EXPECT_EQ(bench.memory.signals[0].address, semaphore(8));
    EXPECT_EQ(bench.memory.signals[0].amount, 5u);
    EXPECT_TRUE(bench.core.idle());
    EXPECT_EQ(bench.core.statistics().commands, 1u);
    EXPECT_EQ(bench.core.statistics().errors, 0u);
    EXPECT_EQ(bench.pool.in_flight(), 0u);
  }
};

TEST_F(VectorTiming, OneBurstBoundByArithmetic) {
  constexpr Picoseconds kLatency = 100 * kNs;
  constexpr Picoseconds kPerByte = 10;
  Bench bench("b", queue, small_config(), false, kLatency, kPerByte);
  // The result starts with the first byte of b, which comes behind a; arithmetic outlasts the 2.56 ns of a transfer.
  const Picoseconds transfer = kBurst * kPerByte;
  expect_completion(bench, command(Opcode::kAdd, kBurstElements),
                    kIssue + kLatency + transfer + kArithmetic + kLatency);
}

TEST_F(VectorTiming, OneBurstBoundByMemory) {
  constexpr Picoseconds kLatency = 100 * kNs;
  constexpr Picoseconds kPerByte = 100;
  Bench bench("b", queue, small_config(), false, kLatency, kPerByte);
  // Two reads and a write through one port, back to back: the write begins before b is in, and queues behind it.
  expect_completion(bench, command(Opcode::kMax, kBurstElements), kIssue + kLatency + 3 * kBurst * kPerByte + kLatency);
}

TEST_F(VectorTiming, ManyBurstsBoundByArithmeticHideAllElse) {
  constexpr Picoseconds kLatency = 4 * kNs;
  Bench bench("b", queue, small_config(), false, kLatency, 0);
  expect_completion(bench, command(Opcode::kAdd, 50 * kBurstElements), kIssue + kLatency + 50 * kArithmetic + kLatency);
  EXPECT_EQ(bench.core.statistics().vpu_busy, 50 * kArithmetic);
}

TEST_F(VectorTiming, ManyBurstsBoundByMemoryKeepItsPortBusy) {
  constexpr Picoseconds kLatency = 1 * kNs;
  constexpr Picoseconds kPerByte = 100;
  Bench bench("b", queue, small_config(), false, kLatency, kPerByte);
  expect_completion(bench, command(Opcode::kMin, 40 * kBurstElements),
                    kIssue + kLatency + 3 * 40 * static_cast<Picoseconds>(kBurst) * kPerByte + kLatency);
}

TEST_F(VectorTiming, ManyBurstsBoundByLatencyKeepTheOutstandingBurstsInFlight) {
  constexpr Picoseconds kLatency = 100 * kNs;
  Bench bench("b", queue, small_config(), false, kLatency, 0);
  // Two results may be on their way out: bursts 0 and 1 go at once, then 2 when 0 has landed, and so on in pairs.
  const Picoseconds pair = kArithmetic + kLatency;
  expect_completion(bench, command(Opcode::kAdd, 6 * kBurstElements),
                    kIssue + kLatency + 2 * pair + 2 * kArithmetic + kLatency);
}

TEST_F(VectorTiming, AFillOnlyWrites) {
  constexpr Picoseconds kLatency = 4 * kNs;
  Bench bench("b", queue, small_config(), false, kLatency, 0);
  expect_completion(bench, command(Opcode::kFill, 10 * kBurstElements), kIssue + 10 * kArithmetic + kLatency);
  EXPECT_EQ(bench.core.statistics().bytes_read, 0u);
  EXPECT_EQ(bench.core.statistics().bytes_written, 10 * kBurst);
  EXPECT_EQ(bench.core.statistics().flops, 0u);
}

TEST_F(VectorTiming, NoElementsTakeTheIssueAlone) {
  Bench bench("b", queue, small_config(), false, 100 * kNs, 100);
  expect_completion(bench, command(Opcode::kAdd, 0), kIssue);
  EXPECT_TRUE(bench.memory.accesses.empty());
}

TEST_F(VectorTiming, APartialBurstCountsWholeCycles) {
  constexpr Picoseconds kLatency = 4 * kNs;
  Bench bench("b", queue, small_config(), false, kLatency, 0);
  // 64 + 9 elements at 8 per cycle: 8 cycles, then 2.
  expect_completion(bench, command(Opcode::kAdd, kBurstElements + 9), kIssue + kLatency + 10 * kNs + kLatency);
  EXPECT_EQ(bench.memory.accesses.back().bytes, 9u * 4);
  EXPECT_EQ(bench.core.statistics().elements, kBurstElements + 9);
}

TEST_F(VectorTiming, RatesOfNumberTypesScaleTheArithmetic) {
  constexpr Picoseconds kLatency = 4 * kNs;
  auto config = small_config();
  config.vpu_bf16_rate = {2, 1};
  config.vpu_s8_rate = {1, 3};
  Bench bf16("bf16", queue, config, false, kLatency, 0);
  Bench s8("s8", queue, config, false, kLatency, 0);
  auto what = command(Opcode::kAdd, 128);
  what.type = DType::kBf16;
  bf16.source.write(what);
  what.type = DType::kS8;
  s8.source.write(what);
  run();
  EXPECT_EQ(bf16.memory.signals.at(0).at, kIssue + kLatency + 8 * kNs + kLatency);
  EXPECT_EQ(s8.memory.signals.at(0).at, kIssue + kLatency + 48 * kNs + kLatency);
}

TEST_F(VectorTiming, TheAnnotatedDelayOfTheWriteCounts) {
  Bench bench("b", queue, small_config(), false, 0, 0);
  bench.source.write(command(Opcode::kAdd, 0), 7 * kNs);
  run();
  EXPECT_EQ(bench.memory.signals.at(0).at, 7 * kNs + kIssue);
}

TEST_F(VectorTiming, AMemoryWithoutBurstTimesIsAPoint) {
  constexpr Picoseconds kLatency = 50 * kNs;
  Bench bench("b", queue, small_config(), false, kLatency, 0);
  bench.memory.ignore_bursts = true;
  // The write is handed over with its first byte, but can't be visible before its last.
  expect_completion(bench, command(Opcode::kAdd, kBurstElements), kIssue + kLatency + std::max(kArithmetic, kLatency));
}

TEST_F(VectorTiming, OneTimerFiresPerBurst) {
  Bench bench("b", queue, small_config(), false, 4 * kNs, 10);
  bench.source.write(command(Opcode::kAdd, 1000 * kBurstElements));
  run();
  EXPECT_EQ(queue.fired(), 1000u + 2);  // and one each for issue and completion
  EXPECT_LE(bench.pool.made(), 8u);
}

}  // namespace
}  // namespace podsim::testing
