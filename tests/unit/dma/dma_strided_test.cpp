// Strided copies: where the bytes go, how they are cut into bursts, and what becomes of descriptors that make no sense.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "models/kernel/random.h"
#include "tests/unit/dma/dma_bench.h"

namespace podsim::dma {
namespace {

using ::testing::HasSubstr;
using testing::here;
using testing::semaphore_at;
using testing::there;

constexpr Address kDone = semaphore_at(testing::kSelf, 40);

class DmaStrided : public testing::DmaBench {
 protected:
  static Descriptor strided(std::uint64_t rows, Bytes row, Bytes source_pitch, Bytes destination_pitch) {
    return {.source = here(0),
            .destination = here(500'000),
            .bytes = rows * row,
            .recv_semaphore = kDone,
            .rows = rows,
            .source_pitch = source_pitch,
            .destination_pitch = destination_pitch};
  }
};

TEST(Descriptor, TakesAsManyWordsAsItNeedsAndReadsBackAsItWas) {
  Descriptor copy{.source = 1, .destination = 2, .bytes = 12, .send_semaphore = 4, .recv_semaphore = 5, .tag = 6};
  EXPECT_EQ(copy.words().count, 6u);
  copy.priority = Priority::kBackground;
  copy.rows = 3;
  copy.source_pitch = 7;
  copy.destination_pitch = 8;
  EXPECT_EQ(copy.words().count, 9u);
  const Descriptor back = Descriptor::from_words(copy.words());
  EXPECT_EQ(back.words().all, copy.words().all);
  EXPECT_EQ(back.tag, 6u);
  EXPECT_EQ(back.priority, Priority::kBackground);
}

TEST(Descriptor, RowsWithoutGapsAreOnePiece) {
  const Descriptor copy{.bytes = 12, .rows = 3, .source_pitch = 4, .destination_pitch = 5};
  EXPECT_FALSE(copy.source_rows().strided());
  EXPECT_TRUE(copy.destination_rows().strided());
}

TEST_F(DmaStrided, MovesAnyTileToAnyOther) {
  build_all(config(), {}, true);
  kernel::Random random(11);
  for (int round = 0; round < 20; ++round) {
    const std::uint64_t rows = 1 + random.below(40);
    const Bytes row = 1 + random.below(300);
    const Descriptor copy = strided(rows, row, row + random.below(200), row + random.below(200));
    std::vector<unsigned char> source(copy.source_pitch * rows), target(copy.destination_pitch * rows, 0xee);
    for (auto& byte : source) byte = static_cast<unsigned char>(random.below(256));
    std::copy(source.begin(), source.end(), around->at(copy.source));
    std::copy(target.begin(), target.end(), around->at(copy.destination));
    for (Bytes r = 0; r < rows; ++r) {
      for (Bytes i = 0; i < row; ++i) target[r * copy.destination_pitch + i] = source[r * copy.source_pitch + i];
    }
    doorbell->ring(copy);
    run();
    const unsigned char* const got = around->at(copy.destination);
    ASSERT_EQ(std::vector<unsigned char>(got, got + target.size()), target) << rows << " rows of " << row;
    EXPECT_EQ(around->signals.back().amount, rows * row);
  }
}

TEST_F(DmaStrided, ARowIsNoBurst) {
  build_all(config());
  doorbell->ring(strided(100, 50, 64, 80));  // five bursts of 1000 bytes
  run();
  EXPECT_EQ(engine->statistics().bursts, 5u);
  ASSERT_EQ(around->reads.size(), 5u);
  EXPECT_EQ(around->reads[1].address, here(20 * 64));
  EXPECT_EQ(around->writes[1].address, here(500'000 + 20 * 80));
  // The bench's memories look at bytes alone: as fast as in one piece.
  EXPECT_EQ(done, (Events{{0, kIssue + pace.read_latency + 5000 + pace.write_latency}}));
}

TEST_F(DmaStrided, ABurstMayEndWithinARow) {
  build_all(config());
  doorbell->ring(strided(3, 700, 1024, 2048));
  run();
  ASSERT_EQ(around->reads.size(), 3u);
  EXPECT_EQ(around->reads[1].address, here(1024 + 300));
  EXPECT_EQ(around->reads[2].address, here(2048 + 600));
  EXPECT_EQ(around->writes[2].address, here(500'000 + 2 * 2048 + 600));
  EXPECT_EQ(around->writes[2].bytes, 100u);
}

TEST_F(DmaStrided, RemoteCopiesScatterToo) {
  build_all(config());
  Descriptor copy = strided(10, 100, 100, 400);
  copy.destination = there(0);
  doorbell->ring(copy);
  run();
  ASSERT_EQ(around->writes.size(), 1u);
  EXPECT_EQ(around->rows.back().row, 100u);
  EXPECT_EQ(around->rows.back().pitch, 400u);
  EXPECT_EQ(sent, (Events{{0, kIssue + pace.read_latency + 1000 * pace.link_per_byte}}));
}

TEST_F(DmaStrided, RowsBeyondTheMemoryAreAFaultThatNamesThem) {
  build_all(config());
  Descriptor bad = strided(300, 100, 8192, 100);  // row 128 begins at the end of the bench's memory
  doorbell->ring(bad);
  run();
  EXPECT_EQ(
      engine->first_fault(),
      "a DMA of chip 2 reads rows 120 to 129 of 300, 100 bytes each and 8192 bytes apart, from chip 2 hbm+0x0 on: "
      "not all of them are memory");
  EXPECT_TRUE(engine->idle());
  bad = strided(300, 100, 100, 8192);
  doorbell->ring(bad);
  run();
  EXPECT_EQ(engine->statistics().faults, 18u + 24u);
}

TEST_F(DmaStrided, RowsThatDoNotDivideTheBytesAreAFaultAndMoveNothing) {
  build_all(config());
  Descriptor bad = strided(3, 100, 200, 200);
  bad.bytes = 301;
  doorbell->ring(bad);
  run();
  EXPECT_EQ(engine->first_fault(), "a DMA of chip 2 copies 301 bytes in 3 rows, which are not of the same length");
  EXPECT_TRUE(around->reads.empty());
  EXPECT_TRUE(around->signals.empty()) << "nothing was moved";
  EXPECT_TRUE(engine->idle());
  bad.rows = 0;
  doorbell->ring(bad);
  run();
  EXPECT_EQ(engine->statistics().faults, 2u);
}

TEST_F(DmaStrided, APitchBeyondTheAddressMapIsAFault) {
  build_all(config());
  doorbell->ring(strided(3, 100, Bytes{1} << 62, 100));
  doorbell->ring(strided(3, 100, 100, Bytes{1} << 39));
  run();
  EXPECT_EQ(engine->statistics().faults, 2u);
  EXPECT_THAT(engine->first_fault(), HasSubstr("reach beyond the address map"));
  EXPECT_TRUE(around->reads.empty());
  EXPECT_TRUE(engine->idle());
}

}  // namespace
}  // namespace podsim::dma
