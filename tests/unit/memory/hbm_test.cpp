#include "models/memory/hbm.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/support/simulation.h"
#include "tests/unit/memory/burst_initiator.h"

namespace podsim::memory {
namespace {

// One byte per picosecond at peak; refresh takes half of the time: a stream takes two picoseconds a byte. A column
// access takes 1.024 ns, two clocks, on each of the 32 pseudo-channels.
HbmConfig two_picoseconds_a_byte() {
  HbmConfig config;
  config.bandwidth = {1'000'000'000'000};
  config.refresh_interval = {100'000};
  config.refresh_cycle = {20'000};
  config.row_cycle = {30'000};
  return config;
}

TEST(HbmPricing, StreamRunsAtPeakLessRefresh) {
  HbmPricing pricing(two_picoseconds_a_byte());
  EXPECT_EQ(pricing.stream_bandwidth().bytes_per_second, 500'000'000'000u);
  EXPECT_EQ(pricing.price(0, kMiB, false, true), static_cast<Picoseconds>(2 * kMiB));
}

TEST(HbmPricing, StreamCostsTheSameInOneBurstOrInMany) {
  const HbmConfig config;
  HbmPricing whole(config);
  const Picoseconds at_once = whole.price(0, kMiB, false, true);
  for (const Bytes piece : {Bytes{32}, Bytes{100}, Bytes{4096}, 64 * kKiB}) {
    HbmPricing pieces(config);
    Picoseconds sum = 0;
    Bytes count = 0;
    for (Bytes offset = 0; offset < kMiB; offset += piece, ++count) {
      sum += pieces.price(offset, std::min(piece, kMiB - offset), false, true);
    }
    // Each price is rounded up to a whole picosecond.
    EXPECT_GE(sum, at_once);
    EXPECT_LE(sum, at_once + static_cast<Picoseconds>(count)) << "in pieces of " << piece;
  }
}

TEST(HbmPricing, ScatteredSmallBurstsPayForTheirRows) {
  // A row visit takes max(tRRD_S, tFAW / 4, 3 clocks of the row bus x 2, tRC / 16) = tRRD_S, 4 ns, rounded up to eight
  // clocks; its two accesses need four. So 64 bytes elsewhere cost twice what they cost in a stream.
  HbmPricing pricing(two_picoseconds_a_byte());
  EXPECT_NEAR(static_cast<double>(pricing.price(0, 64, false, true)), 2 * 2 * 64, 0.15 * 2 * 2 * 64);
  EXPECT_NEAR(static_cast<double>(pricing.price(100 * kMiB, 64, false, true)), 2 * 2 * 64, 0.15 * 2 * 2 * 64);
  EXPECT_EQ(pricing.statistics().row_misses, 2u);
  // 32 pseudo-channels x 4 bank groups: whole rows from 128 KiB on, and then a row's visit is hidden.
  EXPECT_EQ(pricing.price(200 * kMiB, 256 * kKiB, false, true), static_cast<Picoseconds>(2 * 256 * kKiB));
}

TEST(HbmPricing, ReadsAndWritesThatMixPayForTurnarounds) {
  // With queues of 64, batches of 24 accesses in one direction fit what simulators measure (hbm_bandwidth.csv): each
  // pair of them loses tRTW + CWL + tWTR_L less a burst on top of its data.
  HbmConfig config = two_picoseconds_a_byte();
  config.mapping = {{HbmField::kChannel}, {HbmField::kPseudoChannel}, {HbmField::kBankGroup},
                    {HbmField::kColumn},  {HbmField::kBank},          {HbmField::kRow}};  // "fine"
  HbmPricing pricing(config);
  const Bytes bytes = 4 * kKiB;  // as in the reference; longer pieces turn round less often
  const auto plain = static_cast<double>(2 * bytes);
  const double lost = plain * (13'000 + 5'000 + 8'000 - 1024) / (24 * 1024);
  // Each mixes with what came before it: a pair pays once on its way in, once on its way out.
  Picoseconds mixed = 0;
  constexpr Bytes kPairs = 2000;
  for (Bytes i = 0; i < kPairs; ++i) {
    mixed += pricing.price(i * bytes, bytes, false, false);
    mixed += pricing.price(kGiB + 64 * kKiB + i * bytes, bytes, true, false);
  }
  // How much exactly is held against simulators and the detailed level in hbm_reference_test.cpp.
  EXPECT_GT(static_cast<double>(mixed) / kPairs, 2 * plain + 0.5 * lost);
  EXPECT_LT(static_cast<double>(mixed) / kPairs, 2 * plain + 3 * lost);
  EXPECT_GT(pricing.statistics().turnarounds, 0u);
  // With nothing waiting there is nothing to mix with.
  const Bytes long_one = 256 * kKiB;
  EXPECT_NEAR(static_cast<double>(pricing.price(0, long_one, false, true)), 2.0 * long_one, 0.04 * 2.0 * long_one);
}

TEST(HbmPricing, MixingCostsTheSameInAnyOrder) {
  const HbmConfig config;
  const auto cost = [&](std::initializer_list<bool> writes) {
    HbmPricing pricing(config);
    Picoseconds sum = 0;
    for (const bool write : writes) sum += pricing.price(0, 64 * kKiB, write, false);
    return sum;
  };
  const Picoseconds alternating = cost({false, true, false, true});
  EXPECT_EQ(cost({false, false, true, true}), alternating);
  EXPECT_EQ(cost({true, false, false, true}), alternating);
  EXPECT_GT(alternating, cost({true, true, true, true}));
}

TEST(HbmPricing, NeverBeatsThePeak) {
  HbmPricing pricing(two_picoseconds_a_byte());
  Bytes moved = 0;
  Picoseconds priced = 0;
  for (Bytes i = 0; i < 10'000; ++i) {
    const Bytes bytes = 1 + i * i % 5000;
    priced += pricing.price(i * 7919 % (8 * kMiB), bytes, i % 3 == 0, i % 11 == 0);
    moved += bytes;
    ASSERT_GE(priced, static_cast<Picoseconds>(moved));
  }
}

TEST(HbmPricing, TakesAnyNumberOfStacks) {
  HbmConfig config;
  config.stacks = 6;
  HbmPricing pricing(config);
  EXPECT_GT(pricing.price(0, 64 * kKiB, false, true), 0);
}

TEST(HbmPricing, NamesTheKeyThatMakesNoSense) {
  HbmConfig config;
  config.row = {1000};
  try {
    HbmPricing pricing(config);
    FAIL() << "accepted a row of 1000 bytes";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("row must be a power of two"), std::string::npos) << error.what();
  }
}

using HbmTest = testing::Simulation;

TEST_F(HbmTest, AccessTakesItsPriceAndTheLatency) {
  HbmConfig config = two_picoseconds_a_byte();
  config.capacity = {kGiB};
  testing::BurstInitiator initiator("initiator");
  Hbm hbm("hbm", config);
  initiator.socket.bind(hbm.socket);
  run();
  const Bytes bytes = 128 * kKiB;
  HbmPricing pricing(config);
  const Picoseconds price = pricing.price(0, bytes, false, true);
  const Picoseconds write_price = pricing.price(kMiB, bytes, true, true);
  EXPECT_NEAR(static_cast<double>(price), 2.0 * bytes, 0.04 * 2.0 * bytes);
  const testing::Answer read = initiator.read(0, bytes);
  EXPECT_EQ(read.first_byte, config.read_latency.ps);
  EXPECT_EQ(read.complete, config.read_latency.ps + price);
  // Long after: nothing is waiting, so no turnaround.
  const testing::Answer write = initiator.write(kMiB, bytes, 10'000'000, 10'000'000);
  EXPECT_EQ(write.complete, 10'000'000 + write_price + config.write_latency.ps);
  EXPECT_EQ(initiator.read(kGiB, 1).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(hbm.statistics().busy, price + write_price);
  EXPECT_EQ(hbm.dram_statistics().row_misses, 256u);
}

}  // namespace
}  // namespace podsim::memory
