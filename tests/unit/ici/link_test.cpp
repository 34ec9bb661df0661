// One direction of a link: when a packet's head and tail arrive, when the link is free again, when credits arrive.
#include "models/ici/link.h"

#include <gtest/gtest.h>

#include "tests/unit/ici/router_rig.h"

namespace podsim::ici {
namespace {

constexpr Picoseconds kLatency = 777'777;

class LinkTest : public testing::Simulation {
 protected:
  LinkTest() {
    sender.to_router.bind(link.in);
    link.out.bind(receiver.from_router);
    link.transferred.attach([this](const LinkTransfer& transfer) {
      start = transfer.start;
      end = transfer.end;
    });
    run();  // elaborate
  }
  // Returns the time at which the link says that it is free again.
  Picoseconds send(Bytes bytes, Picoseconds head, Picoseconds tail) {
    IciPacket& packet = packets.acquire();
    packet.bytes = bytes;
    packet.head = head;
    packet.tail = tail;
    return sender.send(packet);
  }
  [[nodiscard]] const testing::StubInterface::Arrival& arrival() const { return receiver.arrivals.back(); }

  const LinkConfig config{
      .bandwidth_per_direction = {45'000'000'000}, .hop_latency = {kLatency}, .packet_header = {24}};
  PacketPool packets;
  testing::StubInterface sender{"sender"};
  testing::StubInterface receiver{"receiver"};
  IciLink link{"link", config};
  Picoseconds start = -1;
  Picoseconds end = -1;
};

TEST_F(LinkTest, SerialisesPayloadAndHeader) {
  const Picoseconds own_time = testing::link_time(config, 4096);
  ASSERT_EQ(own_time, (4096 + 24) * 1000 / 45 + 1) << "rounded up";
  EXPECT_EQ(send(4096, 1000, 1000), 1000 + own_time);
  EXPECT_EQ(arrival().head, 1000 + kLatency);
  EXPECT_EQ(arrival().tail, 1000 + own_time + kLatency);
  EXPECT_EQ(start, 1000);
  EXPECT_EQ(end, 1000 + own_time);
}

TEST_F(LinkTest, APacketThatComesSlowerThanTheLinkLeavesNoFasterThanItComes) {
  const Picoseconds own_time = testing::link_time(config, 4096);
  EXPECT_EQ(send(4096, 0, 5 * own_time), 5 * own_time);
  EXPECT_EQ(arrival().head, kLatency) << "cut-through: the head does not wait for the tail";
  EXPECT_EQ(arrival().tail, 5 * own_time + kLatency);
  EXPECT_EQ(link.statistics().busy, 5 * own_time);
}

TEST_F(LinkTest, AStreamOfTheLinksOwnRatePassesUnchanged) {
  const Picoseconds own_time = testing::link_time(config, 4096);
  EXPECT_EQ(send(4096, 0, own_time), own_time);
  EXPECT_EQ(send(4096, 10'000'000, 10'000'000 + own_time - 1), 10'000'000 + own_time);
}

TEST_F(LinkTest, CountsWhatItCarries) {
  send(4096, 0, 0);
  send(100, 10'000'000, 10'000'000);
  EXPECT_EQ(link.statistics().packets, 2u);
  EXPECT_EQ(link.statistics().payload_bytes, 4196u);
  EXPECT_EQ(link.statistics().busy, testing::link_time(config, 4096) + testing::link_time(config, 100));
  link.reset_statistics();
  EXPECT_EQ(link.statistics().packets, 0u);
}

TEST_F(LinkTest, CreditsComeBackWithTheSameLatency) {
  IciPacket packet;
  packet.offset = 9;
  packet.freed_channel = 1;
  receiver.give_credit(packet, 5000);
  ASSERT_EQ(sender.answers.size(), 1u);
  EXPECT_EQ(sender.answers[0].number, 9u);
  EXPECT_EQ(sender.answers[0].phase, IciPhase::kCredit);
  EXPECT_EQ(sender.answers[0].channel, 1u);
  EXPECT_EQ(sender.answers[0].when, 5000 + kLatency);
}

}  // namespace
}  // namespace podsim::ici
