// The matrix unit and the vector unit work at the same time, and products follow each other back to back. 4 x 4 array,
// cycle 1 ns, issue 10 ns; a product of M rows on one fold takes load R = 4, streaming M, drain R + C - 2 = 6 cycles,
// less one (SCALE-Sim's count).
#include "tests/unit/tensor_core/tensor_core_fixture.h"

namespace podsim::testing {
namespace {

using tensor_core::Command;
using tensor_core::DType;
using tensor_core::Opcode;
using tensor_core::WeightLoad;

class UnitsSideBySide : public TensorCoreTest {
 protected:
  static Command product(std::uint32_t m, std::uint64_t amount, std::uint32_t n = 4) {
    return {.opcode = Opcode::kMatmul,
            .type = DType::kBf16,
            .a = vmem(0),
            .b = vmem(0x10000),
            .destination = vmem(0x20000),
            .m = m,
            .k = 4,
            .n = n,
            .semaphore = semaphore(8),
            .amount = amount};
  }
  static Command sum(std::uint64_t count, std::uint64_t amount) {
    return {.opcode = Opcode::kAdd,
            .a = hbm(0),
            .b = hbm(0x10000),
            .destination = hbm(0x20000),
            .count = count,
            .semaphore = semaphore(8),
            .amount = amount};
  }
  static tensor_core::TensorCoreConfig hidden() {
    auto config = small_config();
    config.mxu_weight_load = WeightLoad::kHidden;
    return config;
  }
  // When the command with that amount told its semaphore.
  static Picoseconds end_of(const Bench& bench, std::uint64_t amount) {
    for (const MemoryStub::Signal& signal : bench.memory.signals) {
      if (signal.amount == amount) return signal.at;
    }
    return -1;
  }
};

TEST_F(UnitsSideBySide, AProductAndAVectorCommandEndAsIfAlone) {
  Bench bench("b", queue, small_config(), false, 0, 0);
  bench.source.write(product(100, 1));
  bench.source.write(sum(800, 2));  // eight a cycle
  run();
  EXPECT_EQ(end_of(bench, 1), kIssue + (4 + 100 + 6 - 1) * kNs);
  EXPECT_EQ(end_of(bench, 2), kIssue + 100 * kNs);
}

TEST_F(UnitsSideBySide, AFullQueueOfOneUnitDoesNotHoldUpTheOther) {
  Bench bench("b", queue, small_config(), false, 0, 0);
  for (std::uint64_t i = 1; i <= 3; ++i) EXPECT_EQ(bench.source.write(sum(800, i)).status, tlm::TLM_COMPLETED);
  EXPECT_EQ(bench.source.write(sum(800, 4)).status, tlm::TLM_ACCEPTED);
  EXPECT_EQ(bench.source.write(product(16, 5)).status, tlm::TLM_COMPLETED);
  run();
  EXPECT_EQ(end_of(bench, 5), kIssue + 25 * kNs);
}

TEST_F(UnitsSideBySide, HiddenLoadsAndDrainsOfProductsInARow) {
  Bench bench("b", queue, hidden(), false, 0, 0);
  bench.source.write(product(16, 1));
  bench.source.write(product(16, 2));
  bench.source.write(product(16, 3));
  run();
  EXPECT_EQ(end_of(bench, 1), kIssue + 25 * kNs);
  EXPECT_EQ(end_of(bench, 2), kIssue + (25 + 16) * kNs);
  // Two are under way at a time: the third is issued when the first has ended.
  EXPECT_EQ(end_of(bench, 3), 2 * kIssue + 50 * kNs);
  EXPECT_EQ(bench.core.statistics().mxu_busy, 2 * kIssue + 50 * kNs - kIssue);
}

// The weights of the next product can't be loaded before the last fold of this one has begun: four cycles apart, not
// two.
TEST_F(UnitsSideBySide, ALoadLongerThanTheStreamingShows) {
  Bench bench("b", queue, hidden(), false, 0, 0);
  bench.source.write(product(2, 1));
  bench.source.write(product(2, 2));
  run();
  const Picoseconds alone = 4 + 2 + 6 - 1;
  // The second is issued when the first has been read, at ten cycles after it: its load starts then, nothing hides it.
  EXPECT_EQ(end_of(bench, 1), kIssue + alone * kNs);
  EXPECT_EQ(end_of(bench, 2), 2 * kIssue + alone * kNs);
}

TEST_F(UnitsSideBySide, SerialLoadsTakeTheSumOfTheirCycles) {
  Bench bench("b", queue, small_config(), false, 0, 0);
  bench.source.write(product(16, 1));
  bench.source.write(product(16, 2));
  run();
  EXPECT_EQ(end_of(bench, 2), kIssue + 50 * kNs);
}

TEST_F(UnitsSideBySide, RowsOfWeightsInACycle) {
  auto config = hidden();
  config.mxu_weight_rows = 4;
  Bench bench("b", queue, config, false, 0, 0);
  bench.source.write(product(16, 1));
  run();
  EXPECT_EQ(end_of(bench, 1), kIssue + (1 + 16 + 6 - 1) * kNs);
}

TEST_F(UnitsSideBySide, ASustainedShareOfThePeakMakesProductsLonger) {
  auto config = hidden();
  config.mxu_sustained = {1, 2};
  Bench bench("b", queue, config, false, 0, 0);
  bench.source.write(product(16, 1));
  run();
  EXPECT_EQ(end_of(bench, 1), kIssue + 50 * kNs);
}

// From VMEM, a streams through the array once for each stripe of four columns, b once.
TEST_F(UnitsSideBySide, StreamedOperandsAreReadOnceAStripe) {
  Bench bench("b", queue, small_config(), false, 0, 0);
  bench.source.write(product(16, 1, 12));
  run();
  EXPECT_EQ(bench.core.statistics().bytes_read, (3 * 16 * 4 + 4 * 12) * 2u);
}

TEST_F(UnitsSideBySide, ProductsAreAddedToWhatIsThere) {
  Bench bench("b", queue, hidden(), true, 3 * kNs, 1);
  bench.memory.put(vmem(0), std::vector<std::int8_t>{1, 2, 3, 4, 5, 6});         // 2 x 3
  bench.memory.put(vmem(0x10000), std::vector<std::int8_t>{1, 0, 2, -1, 1, 1});  // 3 x 2, or turned 2 x 3
  Command command = product(2, 1, 2);
  command.type = DType::kS8;
  command.k = 3;
  for (const bool accumulate : {false, true, true}) {
    command.accumulate = accumulate;
    bench.source.write(command);
  }
  run();
  // 1*1+2*2+3*1, 1*0-2+3; 4+10+6, 0-5+6; three times.
  EXPECT_EQ(bench.memory.get<std::int32_t>(vmem(0x20000), 4), (std::vector<std::int32_t>{24, 3, 60, 3}));
  command.accumulate = false;
  command.transpose_b = true;
  bench.source.write(command);
  run();
  // rows of b: (1, 0, 2), (-1, 1, 1)
  EXPECT_EQ(bench.memory.get<std::int32_t>(vmem(0x20000), 4), (std::vector<std::int32_t>{7, 4, 16, 7}));
}

}  // namespace
}  // namespace podsim::testing
