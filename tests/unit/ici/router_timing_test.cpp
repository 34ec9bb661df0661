// Routers and links together: what a hop costs, what full buffers cost, and who goes first. L is the hop latency, s the
// time that a packet takes on a link.
#include <gtest/gtest.h>

#include "tests/unit/ici/router_rig.h"

namespace podsim::ici {
namespace {

constexpr Bytes kPacket = 64 * kKiB;
constexpr Picoseconds L = 200'001;

class RouterTiming : public testing::Simulation {
 protected:
  static IciConfig config(unsigned packets_per_buffer, Bytes header = 0) {
    IciConfig config;
    config.link = {.bandwidth_per_direction = {45'000'000'000}, .hop_latency = {L}, .packet_header = {header}};
    config.router = {.virtual_channels = 2, .buffer_per_vc = {packets_per_buffer * kPacket}};
    config.packet = {kPacket};
    return config;
  }
  void build(std::vector<AxisShape> axes, const IciConfig& ici) {
    rig = std::make_unique<testing::RouterRig>(queue, TorusShape(std::move(axes)), ici);
    s = testing::link_time(ici.link, kPacket);
    run();  // elaborate
  }

  std::unique_ptr<testing::RouterRig> rig;
  Picoseconds s = 0;
};

TEST_F(RouterTiming, CutThroughCostsALatencyPerHopAndTheBytesOnce) {
  build({{"x", 6, false}}, config(4, 32));
  Picoseconds begin = 0;
  for (std::uint32_t hops = 1; hops < 6; ++hops) {
    rig->inject(0, hops, kPacket, hops, begin);
    run();
    ASSERT_EQ(rig->arrivals(hops).size(), 1u);
    EXPECT_EQ(rig->arrivals(hops)[0].when, begin + hops * L);
    EXPECT_EQ(rig->arrivals(hops)[0].head, begin + hops * L);
    EXPECT_EQ(rig->arrivals(hops)[0].tail, begin + hops * L + s);
    begin += 10'000'000;  // the links are long free
  }
  EXPECT_TRUE(rig->idle());
}

TEST_F(RouterTiming, TheWrapLinkIsAHopLikeAnyOther) {
  build({{"x", 5, true}}, config(4));
  rig->inject(0, 3, kPacket, 0);
  run();
  EXPECT_EQ(rig->arrivals(3).at(0).tail, 2 * L + s);
}

TEST_F(RouterTiming, PacketsFollowEachOtherWithoutAGap) {
  build({{"x", 4, false}}, config(8));
  for (unsigned i = 0; i < 5; ++i) rig->inject(0, 3, kPacket, i);
  run();
  ASSERT_EQ(rig->order(3), (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(rig->arrivals(3)[i].tail, 3 * L + (i + 1) * s);
}

TEST_F(RouterTiming, ASlowSourceKeepsItsPaceOverAllHops) {
  build({{"x", 4, false}}, config(8));
  rig->inject(0, 3, kPacket, 0, 500, 500 + 7 * s);
  run();
  EXPECT_EQ(rig->arrivals(3).at(0).head, 500 + 3 * L);
  EXPECT_EQ(rig->arrivals(3).at(0).tail, 500 + 3 * L + 7 * s);
}

TEST_F(RouterTiming, APacketToItsOwnChipTakesNoTime) {
  build({{"x", 4, true}}, config(4));
  rig->inject(2, 2, kPacket, 0, 1000, 3000, true);
  rig->interfaces[2]->storing = 500;
  run();
  EXPECT_EQ(rig->arrivals(2).at(0).head, 1000);
  EXPECT_EQ(rig->arrivals(2).at(0).tail, 3000);
  ASSERT_EQ(rig->interfaces[2]->answers.size(), 1u);
  EXPECT_EQ(rig->interfaces[2]->answers[0].phase, IciPhase::kSent);
  EXPECT_EQ(rig->interfaces[2]->answers[0].when, 3500) << "gone when it is stored";
}

TEST_F(RouterTiming, TheSenderIsToldWhenTheLastByteOfItsBurstHasLeft) {
  build({{"x", 4, false}}, config(8));
  rig->inject(0, 2, kPacket, 0);
  rig->inject(0, 2, kPacket, 1, 0, 0, true);
  rig->inject(0, 2, kPacket, 2);
  run();
  ASSERT_EQ(rig->interfaces[0]->answers.size(), 1u);
  EXPECT_EQ(rig->interfaces[0]->answers[0].number, 1u);
  EXPECT_EQ(rig->interfaces[0]->answers[0].phase, IciPhase::kSent);
  EXPECT_EQ(rig->interfaces[0]->answers[0].when, 2 * s);
}

// The target stores a packet W after its last byte; only then is the buffer free, and the credit takes L to come home.
TEST_F(RouterTiming, AFullBufferStopsTheSenderUntilItsCreditIsBack) {
  constexpr Picoseconds W = 3'000'000;
  build({{"x", 2, false}}, config(1));
  rig->interfaces[1]->storing = W;
  for (unsigned i = 0; i < 3; ++i) rig->inject(0, 1, kPacket, i);
  run();
  const Picoseconds round = s + L + W + L;  // last byte out, there, stored, credit back
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(rig->arrivals(1).at(i).head, i * round + L);
  EXPECT_EQ(rig->routers[0]->statistics().credit_stalls, 2u);
  EXPECT_TRUE(rig->idle());
}

TEST_F(RouterTiming, ABufferOfTwoPacketsTakesTwo) {
  constexpr Picoseconds W = 9'000'000;
  build({{"x", 2, false}}, config(2));
  rig->interfaces[1]->storing = W;
  for (unsigned i = 0; i < 4; ++i) rig->inject(0, 1, kPacket, i);
  run();
  EXPECT_EQ(rig->arrivals(1).at(1).head, s + L);
  EXPECT_EQ(rig->arrivals(1).at(2).head, s + L + W + L + L);
  EXPECT_EQ(rig->arrivals(1).at(3).head, 2 * s + L + W + L + L);
}

// A router in between frees its buffer when the last byte has gone on.
TEST_F(RouterTiming, CreditOfAForwardedPacketComesWithItsLastByte) {
  build({{"x", 3, false}}, config(1));
  rig->inject(0, 2, kPacket, 0);
  rig->inject(0, 2, kPacket, 1);
  run();
  const Picoseconds second_starts = L + s + L;
  EXPECT_EQ(rig->arrivals(2).at(1).head, second_starts + 2 * L);
}

TEST_F(RouterTiming, ABufferThatCoversTheRoundTripCostsNothing) {
  build({{"x", 2, false}}, config(2));
  ASSERT_LE(2 * L, s);
  for (unsigned i = 0; i < 10; ++i) rig->inject(0, 1, kPacket, i);
  run();
  EXPECT_EQ(rig->arrivals(1).at(9).tail, 10 * s + L);
  EXPECT_EQ(rig->routers[0]->statistics().credit_stalls, 0u);
}

// Chip 0 of a 3x2 mesh sends three packets to a chip that stores slowly, and one past them to another output.
TEST_F(RouterTiming, APacketWithoutCreditBlocksNoOtherOutput) {
  constexpr Picoseconds W = 50'000'000;
  build({{"x", 3, false}, {"y", 2, false}}, config(2));
  rig->interfaces[2]->storing = W;
  for (unsigned i = 0; i < 3; ++i) rig->inject(0, 2, kPacket, i);
  rig->inject(0, 4, kPacket, 3);  // (1,1): turns at the router where the third packet is stuck
  rig->inject(0, 3, kPacket, 4);  // (0,1): another output of the first router
  run();
  EXPECT_EQ(rig->arrivals(3).at(0).tail, L + s);
  EXPECT_EQ(rig->arrivals(4).at(0).tail, 3 * s + 2 * L + s) << "behind three packets on the first link, and no other";
  const Picoseconds first_stored = s + 2 * L + W;
  EXPECT_EQ(rig->arrivals(2).at(2).head, first_stored + L + L);
}

TEST_F(RouterTiming, StraightGoesBeforeTurnBeforeInjection) {
  build({{"x", 3, false}, {"y", 3, false}}, config(4));
  constexpr std::uint32_t kCentre = 4, kBelow = 1, kLeft = 3, kAbove = 7;
  ASSERT_LT(L + 2, s);
  rig->inject(kCentre, kAbove, kPacket, 0);     // takes the link until s
  rig->inject(kCentre, kAbove, kPacket, 1, 1);  // waits from 1 on
  rig->inject(kLeft, kAbove, kPacket, 2, 0);    // from L on
  rig->inject(kBelow, kAbove, kPacket, 3, 2);   // from L + 2 on
  run();
  ASSERT_EQ(rig->order(kAbove), (std::vector<std::uint64_t>{0, 3, 2, 1}));
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(rig->arrivals(kAbove)[i].head, i * s + L);
}

TEST_F(RouterTiming, TwoPacketsOfOneInputLeaveAtTheSameTimeByDifferentLinks) {
  build({{"x", 3, false}, {"y", 2, false}}, config(4));
  // A slow packet holds the straight link; the one behind it turns while it is still leaving.
  rig->inject(0, 2, kPacket, 0, 0, 0);
  rig->inject(0, 4, 1024, 1, 0, 0);
  rig->inject(1, 2, kPacket, 2, 0, 0);  // occupies (1,0) -> (2,0) until s
  run();
  EXPECT_EQ(rig->arrivals(2).at(0).number, 2u);
  EXPECT_EQ(rig->arrivals(4).at(0).head, s + 2 * L);
  EXPECT_EQ(rig->arrivals(2).at(1).head, s + L);
}

TEST_F(RouterTiming, CountsPackets) {
  build({{"x", 3, false}}, config(4));
  rig->inject(0, 2, kPacket, 0);
  rig->inject(1, 0, kPacket, 1);
  run();
  const RouterStatistics& middle = rig->routers[1]->statistics();
  EXPECT_EQ(middle.forwarded, 2u);
  EXPECT_EQ(middle.injected, 1u);
  EXPECT_EQ(middle.ejected, 0u);
  EXPECT_EQ(rig->routers[2]->statistics().ejected, 1u);
}

}  // namespace
}  // namespace podsim::ici
