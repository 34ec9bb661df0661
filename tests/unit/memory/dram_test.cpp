// The parts of the per-bank model, against the timings that they are given: ready at a tick, and not one earlier.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

#include "models/kernel/random.h"
#include "models/memory/dram/address_map.h"
#include "models/memory/dram/bank_state.h"
#include "models/memory/dram/channel_controller.h"
#include "models/memory/dram/hbm_timeline.h"
#include "models/memory/dram/refresh.h"

namespace podsim::memory {
namespace {

// One stack of HBM2 with clocks of 1 ns.
HbmConfig hbm2() {
  HbmConfig config;
  config.stacks = 1;
  config.capacity = {8 * kGiB};
  config.bandwidth = {256'000'000'000};
  return config;
}

constexpr DramTick clocks(DramTick n) { return n * kClock; }

TEST(DramClock, FollowsFromTheBandwidth) {
  const DramClock clock(hbm2());
  EXPECT_EQ(clock.time(clocks(7)), 7'000);
  EXPECT_EQ(clock.clocks({14'000}), clocks(14));
  EXPECT_EQ(clock.clocks({14'100}), clocks(15));
  EXPECT_EQ(clock.tick(3'501), 8);
}

TEST(AddressMap, FollowsTheFieldsFromTheLeastSignificantUp) {
  HbmConfig config = hbm2();
  using enum HbmField;
  config.mapping = {{kBankGroup}, {kColumn, 3}, {kChannel}, {kPseudoChannel}, {kBank}, {kColumn}, {kRow}};
  const AddressMap map(config);
  // Bits above the 32 bytes: 2 bank group, 3 column, 3 channel, 1 pseudo-channel, 2 bank, 2 column, row.
  const Bytes offset = 32 * (3 + (5 << 2) + (6 << 5) + (1 << 8) + (2 << 9) + (3 << 11) + (77 << 13));
  EXPECT_EQ(map(offset), (DramAddress{6, 1, 3, 2, (3 << 3) + 5, 77}));
  EXPECT_EQ(map.granule(), 32u);
  EXPECT_EQ(map.next_bank_of_group(), 32u << 9);
  EXPECT_EQ(map.next_row_of_bank(), 32u << 13);
}

TEST(AddressMap, GivesEveryAccessAPlaceOfItsOwnForAnyNumberOfStacks) {
  for (const unsigned stacks : {1u, 3u, 6u}) {
    HbmConfig config = hbm2();
    config.stacks = stacks;
    const AddressMap map(config);
    std::set<std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned, std::uint64_t>> places;
    constexpr Bytes kAccesses = 60'000;
    for (Bytes i = 0; i < kAccesses; ++i) {
      const DramAddress a = map(i * 32);
      ASSERT_LT(a.channel, 8 * stacks);
      ASSERT_LT(a.column, 32u);
      places.insert({a.channel, a.pseudo_channel, a.bank_group, a.bank, a.column, a.row});
    }
    EXPECT_EQ(places.size(), kAccesses);
  }
}

TEST(AddressMap, RefusesWhatIsNoMapping) {
  using enum HbmField;
  HbmConfig config = hbm2();
  config.mapping = {{kChannel}, {kRow}};
  EXPECT_STREQ(mapping_fault(config), "must have all of channel, pseudo_channel, bank_group, bank, column and row");
  config.mapping = {{kColumn, 6}, {kRow}};
  EXPECT_STREQ(mapping_fault(config), "takes more bits of a field than it has");
  EXPECT_THROW(AddressMap{config}, std::invalid_argument);
}

class BankTiming : public ::testing::Test {
 protected:
  const HbmConfig config = hbm2();
  const DramTiming timing{config};
  BankState banks{timing, config};
  const BankPlace here{0, 0, 0}, neighbour{0, 0, 1}, other_group{0, 1, 4}, other_channel{1, 4, 16};
};

// Figures of column Ramulator2.1_HBM2_2000 in tests/reference/hbm_timing.csv.
TEST_F(BankTiming, ActivateHoldsTheBankItsGroupAndTheRowBus) {
  banks.activate(here, 7, clocks(100));
  EXPECT_EQ(banks.open_row(0), 7u);
  EXPECT_EQ(banks.column_at(here, false), clocks(114));
  EXPECT_EQ(banks.column_at(here, true), clocks(112));
  EXPECT_EQ(banks.precharge_at(0), clocks(134));
  EXPECT_EQ(banks.activate_at(here), clocks(148));
  EXPECT_EQ(banks.activate_at(neighbour), clocks(104));
  EXPECT_EQ(banks.activate_at(other_group), clocks(104));
  EXPECT_EQ(banks.activate_at(other_channel), clocks(102)) << "the row bus that pseudo-channels share";
}

TEST_F(BankTiming, FourActivatesInAWindow) {
  for (std::uint32_t i = 0; i < 4; ++i) banks.activate({0, i, 4 * i}, 1, clocks(100 + 4 * i));
  EXPECT_EQ(banks.activate_at({0, 0, 1}), clocks(116)) << "tRRD; the window of 15 has passed";
  HbmConfig slow = config;
  slow.four_activate_window = {30'000};
  const DramTiming window(slow);
  BankState others(window, slow);
  for (std::uint32_t i = 0; i < 4; ++i) others.activate({0, i, 4 * i}, 1, clocks(100 + 4 * i));
  EXPECT_EQ(others.activate_at({0, 0, 1}), clocks(130));
}

TEST_F(BankTiming, ColumnsKeepTheirDistance) {
  banks.column(here, false, clocks(100));
  EXPECT_EQ(banks.column_at(neighbour, false), clocks(104));      // tCCD_L
  EXPECT_EQ(banks.column_at(other_group, false), clocks(102));    // the burst
  EXPECT_EQ(banks.column_at(other_channel, false), clocks(101));  // one command in a clock
  EXPECT_EQ(banks.column_at(other_group, true), clocks(113));     // tRTW
  EXPECT_EQ(banks.precharge_at(0), clocks(105));                  // tRTP
  banks.column(here, true, clocks(200));
  EXPECT_EQ(banks.column_at(other_group, false), clocks(213));  // CWL + burst + tWTR_S
  EXPECT_EQ(banks.column_at(neighbour, false), clocks(215));    // tWTR_L
  EXPECT_EQ(banks.precharge_at(0), clocks(223));                // CWL + burst + tWR
}

TEST_F(BankTiming, RefreshClosesAPseudoChannel) {
  banks.activate(here, 7, clocks(0));
  EXPECT_EQ(banks.precharge_all_at(0), clocks(34));
  banks.precharge_all(0, clocks(34));
  EXPECT_FALSE(banks.any_open(0));
  EXPECT_EQ(banks.refresh_at(0), clocks(48));
  banks.refresh(0, clocks(48));
  EXPECT_EQ(banks.activate_at(neighbour), clocks(398));
  EXPECT_LT(banks.activate_at(other_channel), clocks(60));
}

TEST(RefreshPolicy, ComesEveryInterval) {
  HbmConfig config = hbm2();
  const DramTiming timing(config);
  RefreshPolicy both(timing, config);
  EXPECT_EQ(both.next_at(), clocks(3900));
  both.advance();
  EXPECT_EQ(both.next_at(), clocks(3900));
  EXPECT_EQ(both.next().pseudo_channel, 1u);
  both.advance();
  EXPECT_EQ(both.next_at(), clocks(7800));
  config.refresh_staggered = true;
  RefreshPolicy by_turns(timing, config);
  by_turns.advance();
  EXPECT_EQ(by_turns.next_at(), clocks(5850));
  config.refresh = HbmRefresh::kNone;
  EXPECT_EQ(RefreshPolicy(timing, config).next_at(), kNever);
}

std::vector<DramDone> run(ChannelController& channel) {
  std::vector<DramDone> done;
  while (!channel.idle()) channel.step(channel.next_time(), done);
  return done;
}

TEST(ChannelController, RowMissTakesActivateColumnAndData) {
  const HbmConfig config = hbm2();
  const DramTiming timing(config);
  ChannelController channel(timing, config);
  channel.push({clocks(10), 5, {0, 0, 0}, 1, false, false});
  const std::vector<DramDone> done = run(channel);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].taken, clocks(10 + 14));
  EXPECT_EQ(done[0].at, clocks(10 + 14 + 14 + 2));  // tRCD + CL + burst
}

TEST(ChannelController, RowHitsGoFirst) {
  const HbmConfig config = hbm2();
  const DramTiming timing(config);
  ChannelController channel(timing, config);
  channel.push({0, 5, {0, 0, 0}, 1, false, false});
  channel.push({0, 6, {0, 0, 0}, 2, false, false});
  channel.push({0, 5, {0, 0, 0}, 3, false, false});
  const std::vector<DramDone> done = run(channel);
  ASSERT_EQ(done.size(), 3u);
  EXPECT_EQ(done[1].request, 3u);
  // tRAS, tRP and tRCD before the other row's data.
  EXPECT_EQ(done[2].taken, clocks(34 + 14 + 14));
  EXPECT_EQ(channel.statistics().row_misses, 2u);
}

// Everything that is pushed is served, whatever comes in whatever order and however small the queues.
TEST(ChannelController, LosesNothing) {
  for (const unsigned queue : {1u, 2u, 16u}) {
    HbmConfig config = hbm2();
    config.queue = config.write_queue = queue;
    const DramTiming timing(config);
    ChannelController channel(timing, config);
    kernel::Random random(queue);
    constexpr std::uint32_t kAccesses = 3000;
    for (std::uint32_t i = 0; i < kAccesses; ++i) {
      const auto bank = static_cast<std::uint32_t>(random.below(32));
      channel.push({static_cast<DramTick>(random.below(20'000)),
                    random.below(3),
                    {bank / 16, bank / 4, bank},
                    i,
                    random.one_in(2),
                    false});
    }
    std::set<std::uint32_t> served;
    for (const DramDone& one : run(channel)) served.insert(one.request);
    EXPECT_EQ(served.size(), kAccesses);
  }
}

TEST(HbmTimeline, LoneBurstStartsAtOnceAndRunsAtThePeak) {
  HbmTimeline timeline(hbm2());
  const Reservation one = timeline.reserve(0, 32, false, 1'000'000, 1'000'000, 0);
  EXPECT_EQ(one.start, 1'000'000);
  EXPECT_EQ(one.finish, 1'002'000) << "the burst of one access; the row miss is part of the latency";
  const Reservation stream = timeline.reserve(0, kMiB, false, 2'000'000, 2'000'000, 0);
  // 1 MiB at 256 GB/s is 4.1 us, of which at most two refreshes take tRFC + tRC and a little.
  EXPECT_GE(stream.finish - stream.start, 4'096'000);
  EXPECT_LE(stream.finish - stream.start, 4'096'000 + 2 * 430'000);
}

TEST(HbmTimeline, SlowStreamLeavesTheRestToOthers) {
  HbmTimeline timeline(hbm2());
  // A quarter of the bandwidth for 4.1 us, then a burst that needs a sixteenth of that time.
  const Reservation slow = timeline.reserve(0, 256 * kKiB, true, 0, 0, 4'096'000);
  EXPECT_GE(slow.finish, 4'000'000);
  const Reservation fast = timeline.reserve(kGiB, 64 * kKiB, false, 0, 0, 0);
  EXPECT_LE(fast.finish, 2 * 256'000);
}

TEST(HbmTimeline, NothingIsGivenOutTwice) {
  HbmTimeline timeline(hbm2());
  Picoseconds last = 0;
  for (Bytes i = 0; i < 32; ++i) {
    last = std::max(last, timeline.reserve(i * 64 * kKiB, 64 * kKiB, false, 0, 0, 0).finish);
  }
  EXPECT_GE(last, 32 * 256'000) << "2 MiB at the peak of 256 GB/s";
}

}  // namespace
}  // namespace podsim::memory
