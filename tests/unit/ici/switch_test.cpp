// The parts of a router that need no kernel: credits, arbitration, packet queues.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "models/ici/credit_counter.h"
#include "models/ici/packet_pool.h"
#include "models/ici/switch_allocator.h"

namespace podsim::ici {
namespace {

using Class = SwitchAllocator::Class;

TEST(CreditCounter, LendsTheBufferAndNoByteMore) {
  CreditCounter credits(2, 100);
  EXPECT_TRUE(credits.take(0, 0, 60));
  EXPECT_FALSE(credits.take(0, 0, 41));
  EXPECT_TRUE(credits.take(0, 0, 40));
  EXPECT_FALSE(credits.take(0, 0, 1));
  EXPECT_TRUE(credits.take(0, 1, 100)) << "channels have buffers of their own";
  EXPECT_FALSE(credits.all_home());
}

TEST(CreditCounter, ACreditCountsFromItsTimeOnAndNotAPicosecondEarlier) {
  CreditCounter credits(1, 100);
  ASSERT_TRUE(credits.take(0, 0, 100));
  EXPECT_FALSE(credits.expects_credit());
  credits.give(500, 0, 100);
  EXPECT_TRUE(credits.expects_credit());
  EXPECT_EQ(credits.next_credit(), 500);
  EXPECT_TRUE(credits.all_home()) << "on its way back";
  EXPECT_FALSE(credits.take(499, 0, 1));
  EXPECT_TRUE(credits.take(500, 0, 100));
}

TEST(CreditCounter, CreditsMayBeGivenInAnyOrderOfTime) {
  CreditCounter credits(2, 30);
  ASSERT_TRUE(credits.take(0, 0, 30));
  credits.give(300, 0, 10);
  credits.give(100, 0, 10);
  credits.give(200, 0, 10);
  EXPECT_EQ(credits.next_credit(), 100);
  EXPECT_TRUE(credits.take(100, 0, 10));
  EXPECT_FALSE(credits.take(199, 0, 10));
  EXPECT_EQ(credits.next_credit(), 200);
  EXPECT_TRUE(credits.take(300, 0, 20));
}

TEST(CreditCounter, NeverLetsAPacketThroughThatIsLargerThanTheBuffer) {
  CreditCounter credits(1, 64);
  EXPECT_FALSE(credits.take(0, 0, 65));
  EXPECT_TRUE(credits.all_home());
}

class SwitchTest : public ::testing::Test {
 protected:
  static constexpr unsigned kQueues = 9;

  void enqueue(unsigned queue, Class priority, Bytes bytes = 1) {
    IciPacket& packet = pool.acquire();
    packet.bytes = bytes;
    allocator.enqueue(packet, queue, priority);
  }
  // The queue that was granted, or -1.
  template <class MayGo>
  int grant(MayGo&& may_go) {
    unsigned queue = 0;
    Picoseconds next_head = 0;
    IciPacket* packet = allocator.grant(0, may_go, queue, next_head);
    if (packet == nullptr) return -1;
    release(*packet);
    return static_cast<int>(queue);
  }
  int grant() {
    return grant([](const IciPacket&) { return true; });
  }

  PacketPool pool;
  SwitchAllocator allocator;
};

TEST_F(SwitchTest, StraightGoesBeforeTurnAndTurnBeforeInjection) {
  enqueue(8, Class::kInjection);
  enqueue(4, Class::kTurn);
  enqueue(2, Class::kStraight);
  enqueue(2, Class::kStraight);
  std::vector<int> order;
  while (!allocator.empty()) order.push_back(grant());
  EXPECT_EQ(order, (std::vector<int>{2, 2, 4, 8}));
  EXPECT_EQ(grant(), -1);
}

TEST_F(SwitchTest, QueuesOfAClassTakeTurns) {
  for (int i = 0; i < 3; ++i) {
    for (const unsigned queue : {1u, 3u, 6u}) enqueue(queue, Class::kTurn);
  }
  std::vector<int> order;
  while (!allocator.empty()) order.push_back(grant());
  EXPECT_EQ(order, (std::vector<int>{1, 3, 6, 1, 3, 6, 1, 3, 6}));
}

// However the queues fill up, none is passed over while another of its class is served twice.
TEST_F(SwitchTest, RoundRobinIsFair) {
  std::mt19937 random(7);
  std::vector<unsigned> waiting(kQueues, 0);
  std::vector<unsigned> passed_over(kQueues, 0);
  for (int step = 0; step < 20'000; ++step) {
    if (random() % 2 == 0) {
      const unsigned queue = random() % kQueues;
      enqueue(queue, Class::kTurn);
      ++waiting[queue];
    } else if (const int granted = grant(); granted >= 0) {
      for (unsigned queue = 0; queue < kQueues; ++queue) {
        passed_over[queue] = waiting[queue] > 0 && static_cast<int>(queue) != granted ? passed_over[queue] + 1 : 0;
        ASSERT_LT(passed_over[queue], kQueues);
      }
      --waiting[static_cast<unsigned>(granted)];
    }
  }
}

TEST_F(SwitchTest, AHeadThatMayNotGoHoldsUpItsOwnQueueAlone) {
  enqueue(0, Class::kStraight, 100);
  enqueue(0, Class::kStraight, 1);
  enqueue(1, Class::kStraight, 1);
  enqueue(8, Class::kInjection, 1);
  const auto small = [](const IciPacket& packet) { return packet.bytes < 10; };
  EXPECT_EQ(grant(small), 1);
  EXPECT_EQ(grant(small), 8) << "a lower class goes when the higher ones can't";
  EXPECT_EQ(grant(small), -1) << "the small packet stays behind the large one";
  EXPECT_EQ(grant(), 0);
  EXPECT_EQ(grant(small), 0);
  EXPECT_TRUE(allocator.empty());
}

TEST_F(SwitchTest, AHeadThatIsStillOnTheWayIsNotGrantedAPicosecondEarly) {
  const auto any = [](const IciPacket&) { return true; };
  for (const Picoseconds head : {300, 200}) {
    IciPacket& packet = pool.acquire();
    packet.head = head;
    allocator.enqueue(packet, head == 300 ? 0 : 5, head == 300 ? Class::kStraight : Class::kTurn);
  }
  unsigned queue = 0;
  Picoseconds next_head = 0;
  EXPECT_EQ(allocator.grant(199, any, queue, next_head), nullptr);
  EXPECT_EQ(next_head, 200);
  IciPacket* packet = allocator.grant(200, any, queue, next_head);
  ASSERT_NE(packet, nullptr) << "one of a lower class goes while the other is still on the way";
  EXPECT_EQ(queue, 5u);
  release(*packet);
  EXPECT_EQ(allocator.grant(299, any, queue, next_head), nullptr);
  EXPECT_EQ(next_head, 300);
  packet = allocator.grant(300, any, queue, next_head);
  ASSERT_NE(packet, nullptr);
  release(*packet);
}

TEST(SwitchAllocator, ServesThirtyTwoQueues) {
  PacketPool pool;
  SwitchAllocator allocator;
  for (int round = 0; round < 2; ++round) {
    for (unsigned queue = 0; queue < 32; ++queue) allocator.enqueue(pool.acquire(), queue, Class::kTurn);
  }
  std::vector<unsigned> served(32, 0);
  for (int i = 0; i < 64; ++i) {
    unsigned queue = 0;
    Picoseconds next_head = 0;
    IciPacket* packet = allocator.grant(
        0, [](const IciPacket&) { return true; }, queue, next_head);
    ASSERT_NE(packet, nullptr);
    ++served[queue];
    if (i == 31) {
      EXPECT_EQ(served, std::vector<unsigned>(32, 1));
    }
  }
  EXPECT_EQ(served, std::vector<unsigned>(32, 2));
}

TEST(PacketQueue, PushByHeadSortsAndKeepsTheOrderOfEqualHeads) {
  PacketPool pool;
  std::mt19937 random(11);
  for (int round = 0; round < 50; ++round) {
    PacketQueue queue;
    const unsigned count = 1 + random() % 40;
    for (unsigned i = 0; i < count; ++i) {
      IciPacket& packet = pool.acquire();
      packet.head = random() % 8;
      packet.offset = i;  // order of arrival
      queue.push_by_head(packet);
    }
    Picoseconds head = -1;
    Bytes arrival = 0;
    for (unsigned i = 0; i < count; ++i) {
      ASSERT_FALSE(queue.empty());
      IciPacket& packet = queue.pop();
      ASSERT_TRUE(packet.head > head || (packet.head == head && packet.offset > arrival));
      head = packet.head;
      arrival = packet.offset;
      release(packet);
    }
    EXPECT_TRUE(queue.empty());
  }
  EXPECT_EQ(pool.in_flight(), 0u);
}

TEST(PacketPool, HandsOutFreshPacketsAndTakesThemBackWithTheLastReference) {
  PacketPool pool;
  IciPacket& first = pool.acquire();
  first.bytes = 5;
  hold(first);
  release(first);
  EXPECT_EQ(pool.in_flight(), 1u);
  release(first);
  EXPECT_EQ(pool.in_flight(), 0u);
  IciPacket& again = pool.acquire();
  EXPECT_EQ(&again, &first);
  EXPECT_EQ(again.bytes, 0u);
}

}  // namespace
}  // namespace podsim::ici
