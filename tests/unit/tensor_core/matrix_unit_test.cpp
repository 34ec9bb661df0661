// The kMatmul command: time and result. 4 x 4 arrays, cycle 1 ns, issue 10 ns, serial weight loads, bf16 at full rate.
#include <random>

#include "models/tensor_core/matmul.h"
#include "tests/unit/tensor_core/tensor_core_fixture.h"

namespace podsim::testing {
namespace {

using tensor_core::Command;
using tensor_core::DType;
using tensor_core::Opcode;

class MatrixUnit : public TensorCoreTest {
 protected:
  static Command matmul(DType type, std::uint32_t m, std::uint32_t k, std::uint32_t n) {
    return {.opcode = Opcode::kMatmul,
            .type = type,
            .a = hbm(0),
            .b = hbm(0x100000),
            .destination = vmem(0x10),
            .m = m,
            .k = k,
            .n = n,
            .semaphore = semaphore(8),
            .amount = 1};
  }
};

TEST_F(MatrixUnit, BoundByTheArrayTakesItsCycles) {
  constexpr Picoseconds kLatency = 20 * kNs;
  Bench bench("b", queue, small_config(), false, kLatency, 0);
  bench.source.write(matmul(DType::kBf16, 16, 8, 8));
  run();
  // SCALE-Sim: 2 x 2 folds of 2R + C + M - 2 = 26 cycles, less one.
  EXPECT_EQ(bench.memory.signals.at(0).at, kIssue + kLatency + 103 * kNs + kLatency);
  EXPECT_EQ(bench.core.statistics().mxu_busy, 103 * kNs);
  EXPECT_EQ(bench.core.statistics().flops, 2u * 16 * 8 * 8);
}

TEST_F(MatrixUnit, RatesOfNumberTypes) {
  constexpr Picoseconds kLatency = 20 * kNs;
  auto config = small_config();
  config.mxu_s8_rate = {2, 1};
  config.mxu_f32_rate = {1, 6};
  Bench s8("s8", queue, config, false, kLatency, 0);
  Bench f32("f32", queue, config, false, kLatency, 0);
  s8.source.write(matmul(DType::kS8, 16, 8, 8));
  f32.source.write(matmul(DType::kF32, 16, 8, 8));
  run();
  EXPECT_EQ(s8.memory.signals.at(0).at, kIssue + kLatency + 52 * kNs + kLatency);  // 103 / 2, whole cycles
  EXPECT_EQ(f32.memory.signals.at(0).at, kIssue + kLatency + 6 * 103 * kNs + kLatency);
}

TEST_F(MatrixUnit, BoundByMemoryTakesItsBytes) {
  constexpr Picoseconds kLatency = 20 * kNs;
  constexpr Picoseconds kPerByte = 1'000;
  Bench bench("b", queue, small_config(), false, kLatency, kPerByte);
  bench.source.write(matmul(DType::kBf16, 8, 40, 8));
  run();
  const Picoseconds bytes = 8 * 40 * 2 + 40 * 8 * 2 + 8 * 8 * 4;
  EXPECT_EQ(bench.memory.signals.at(0).at, kIssue + kLatency + bytes * kPerByte + kLatency);
  EXPECT_EQ(bench.core.statistics().bytes_read, 8u * 40 * 2 * 2);
  EXPECT_EQ(bench.core.statistics().bytes_written, 8u * 8 * 4);
}

// A second stripe of columns is computed while the first one's results are written.
TEST_F(MatrixUnit, WritesOverlapTheComputation) {
  constexpr Picoseconds kPerByte = 10;
  Bench bench("b", queue, small_config(), false, 0, kPerByte);
  bench.source.write(matmul(DType::kBf16, 64, 4, 64));
  run();
  const Picoseconds compute = (16 * (2 * 4 + 4 + 64 - 2) - 1) * kNs;
  const Picoseconds end = bench.memory.signals.at(0).at;
  const Picoseconds write_all = 64 * 64 * 4 * kPerByte;
  EXPECT_GE(end, kIssue + compute);
  EXPECT_LT(end, kIssue + compute + write_all / 4);
}

TEST_F(MatrixUnit, EmptyProducts) {
  Bench bench("b", queue, small_config(), true, 20 * kNs, 0);
  bench.memory.put(vmem(0x10), std::vector<float>(6, 7.0f));
  bench.source.write(matmul(DType::kF32, 0, 5, 3));
  run();
  EXPECT_EQ(bench.memory.signals.size(), 1u);
  EXPECT_EQ(bench.memory.get<float>(vmem(0x10), 6), std::vector<float>(6, 7.0f));
  bench.source.write(matmul(DType::kF32, 2, 0, 3));  // an empty sum: zeros
  run();
  EXPECT_EQ(bench.memory.signals.size(), 2u);
  EXPECT_EQ(bench.memory.get<float>(vmem(0x10), 6), std::vector<float>(6, 0.0f));
}

TEST_F(MatrixUnit, ResultsArriveWhole) {
  Bench bench("b", queue, small_config(), true, 20 * kNs, 5);
  std::mt19937 random(9);
  std::size_t done = 0;
  const std::uint32_t sizes[][3] = {{1, 1, 1}, {3, 5, 7}, {33, 65, 17}, {64, 300, 2}, {1, 129, 200}};
  for (const DType type : {DType::kF32, DType::kBf16, DType::kS8}) {
    for (const auto& [m, k, n] : sizes) {
      std::vector<std::uint8_t> a(m * k * size_of(type));
      std::vector<std::uint8_t> b(k * n * size_of(type));
      for (auto& byte : a) byte = static_cast<std::uint8_t>(random());
      for (auto& byte : b) byte = static_cast<std::uint8_t>(random());
      const Command command = matmul(type, m, k, n);
      bench.memory.put(command.a, a);
      bench.memory.put(command.b, b);
      bench.source.write(command);
      run();
      ASSERT_EQ(bench.memory.signals.size(), ++done);
      std::vector<std::uint32_t> expected(m * n);
      tensor_core::multiply(type, m, k, n, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)),
                            std::as_writable_bytes(std::span(expected)));
      EXPECT_EQ(bench.memory.get<std::uint32_t>(command.destination, m * n), expected) << m << "x" << k << "x" << n;
    }
  }
}

}  // namespace
}  // namespace podsim::testing
