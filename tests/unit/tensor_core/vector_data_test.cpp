// What vector commands leave in memory. The arithmetic itself is tested in elementwise_test.cpp; here it is bursts,
// sizes, addresses and the two data modes.
#include <numeric>
#include <random>

#include "tests/unit/tensor_core/tensor_core_fixture.h"

namespace podsim::testing {
namespace {

using tensor_core::Command;
using tensor_core::DType;
using tensor_core::Opcode;

class VectorData : public TensorCoreTest {
 protected:
  static std::vector<std::uint32_t> numbers(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::uint32_t> values(count);
    for (auto& value : values) value = random();
    return values;
  }
};

TEST_F(VectorData, SumsOfEverySizeIncludingInPlace) {
  Bench bench("b", queue, small_config(), true, 20 * kNs, 3);
  std::uint32_t seed = 1;
  std::size_t done = 0;
  for (const std::size_t count : {0, 1, 2, 63, 64, 65, 127, 128, 129, 640, 1000, 5001}) {
    const auto a = numbers(count, seed++);
    const auto b = numbers(count, seed++);
    std::vector<std::uint32_t> sum(count);
    for (std::size_t i = 0; i < count; ++i) sum[i] = a[i] + b[i];
    // An odd address: nothing says that a buffer is aligned.
    const Address at_a = hbm(3);
    const Address at_b = vmem(0x10001);
    for (const Address destination : {hbm(0x80005), at_a, at_b}) {
      bench.memory.put(at_a, a);
      bench.memory.put(at_b, b);
      bench.memory.put(destination + count * 4, std::vector<std::uint8_t>{0x5a});
      bench.source.write({.opcode = Opcode::kAdd,
                          .type = DType::kS32,
                          .a = at_a,
                          .b = at_b,
                          .destination = destination,
                          .count = count,
                          .semaphore = semaphore(0),
                          .amount = 1});
      run();
      ASSERT_EQ(bench.memory.signals.size(), ++done);
      EXPECT_EQ(bench.memory.get<std::uint32_t>(destination, count), sum) << count << " elements";
      EXPECT_EQ(bench.memory.get<std::uint8_t>(destination + count * 4, 1)[0], 0x5a) << "wrote past the end";
    }
  }
  EXPECT_EQ(bench.core.statistics().errors, 0u);
}

TEST_F(VectorData, OddBytesOfS8AndBf16) {
  Bench bench("b", queue, small_config(), true, 20 * kNs, 3);
  std::vector<std::int8_t> bytes(777);
  std::iota(bytes.begin(), bytes.end(), std::int8_t{0});
  std::vector<std::int8_t> limit(777, 5);
  bench.memory.put(hbm(0), bytes);
  bench.memory.put(hbm(0x1000), limit);
  bench.source.write({.opcode = Opcode::kMin,
                      .type = DType::kS8,
                      .a = hbm(0),
                      .b = hbm(0x1000),
                      .destination = hbm(0x2000),
                      .count = 777});
  bench.source.write(
      {.opcode = Opcode::kFill, .type = DType::kBf16, .a = 0x3f80, .destination = hbm(0x3001), .count = 321});
  run();
  const auto least = bench.memory.get<std::int8_t>(hbm(0x2000), 777);
  for (std::size_t i = 0; i < least.size(); ++i) ASSERT_EQ(least[i], std::min<std::int8_t>(bytes[i], 5));
  EXPECT_EQ(bench.memory.get<std::uint16_t>(hbm(0x3001), 321), std::vector<std::uint16_t>(321, 0x3f80));
  EXPECT_EQ(bench.memory.get<std::uint16_t>(hbm(0x3001) + 642, 1)[0], 0);
}

TEST_F(VectorData, ACommandSeesTheResultsOfTheOneBefore) {
  Bench bench("b", queue, small_config(), true, 100 * kNs, 10);
  const auto a = numbers(1000, 1);
  bench.memory.put(hbm(0), a);
  const Command doubling{
      .opcode = Opcode::kAdd, .type = DType::kS32, .a = hbm(0), .b = hbm(0), .destination = hbm(0), .count = 1000};
  for (int i = 0; i < 3; ++i) bench.source.write(doubling);
  run();
  const auto result = bench.memory.get<std::uint32_t>(hbm(0), 1000);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(result[i], a[i] * 8);
}

TEST_F(VectorData, BothDataModesTakeTheSamePicoseconds) {
  const auto config = small_config();
  Bench real("real", queue, config, true, 37 * kNs, 17);
  Bench none("none", queue, config, false, 37 * kNs, 17);
  std::mt19937 random(42);
  for (int i = 0; i < 300; ++i) {
    Command command{.opcode = static_cast<Opcode>(random() % 5),
                    .type = static_cast<DType>(random() % 4),
                    .a = hbm(random() % 4096),
                    .b = vmem(random() % 4096),
                    .destination = hbm(0x10000 + random() % 4096),
                    .count = random() % 3000,
                    .m = static_cast<std::uint32_t>(random() % 20),
                    .k = static_cast<std::uint32_t>(random() % 20),
                    .n = static_cast<std::uint32_t>(random() % 20),
                    .semaphore = semaphore(8 + 32 * static_cast<Bytes>(i)),
                    .amount = 1};
    if (command.opcode == Opcode::kMatmul && command.type == DType::kS32) command.type = DType::kF32;
    real.source.write(command);
    none.source.write(command);
  }
  run();
  ASSERT_EQ(real.memory.signals.size(), 300u);
  ASSERT_EQ(none.memory.signals.size(), 300u);
  for (std::size_t i = 0; i < 300; ++i) {
    ASSERT_EQ(real.memory.signals[i].at, none.memory.signals[i].at);
    ASSERT_EQ(real.memory.signals[i].address, none.memory.signals[i].address);
  }
  EXPECT_EQ(real.source.taken_at, none.source.taken_at);
  EXPECT_EQ(real.core.statistics().commands, 300u);
  EXPECT_EQ(real.core.statistics().flops, none.core.statistics().flops);
}

}  // namespace
}  // namespace podsim::testing
