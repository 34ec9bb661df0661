#include "models/memory/bandwidth_server.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace podsim::memory {
namespace {

constexpr Bandwidth kBytePerPicosecond{1'000'000'000'000};

TEST(BandwidthServer, ServesInTheOrderOfTheCalls) {
  BandwidthServer server(kBytePerPicosecond);
  const Reservation first = server.reserve(100, 50);
  const Reservation second = server.reserve(100, 30);
  EXPECT_EQ(first.start, 100);
  EXPECT_EQ(first.finish, 150);
  EXPECT_EQ(second.start, 150);
  EXPECT_EQ(second.finish, 180);
  EXPECT_EQ(second.occupancy, 30);
  EXPECT_EQ(server.free_at(), 180);
}

TEST(BandwidthServer, GivesIdleTimeBeforeAFutureReservationToALaterCall) {
  BandwidthServer server(kBytePerPicosecond);
  server.reserve(1000, 100);
  const Reservation early = server.reserve(200, 300);
  EXPECT_EQ(early.start, 200);
  EXPECT_EQ(early.finish, 500);
  EXPECT_EQ(server.free_at(), 1100);
}

TEST(BandwidthServer, SplitsAServiceRoundAnEarlierReservation) {
  BandwidthServer server(kBytePerPicosecond);
  server.reserve(1000, 100);
  const Reservation split = server.reserve(900, 150);  // 100 before, 50 behind
  EXPECT_EQ(split.start, 900);
  EXPECT_EQ(split.finish, 1150);
  // What is left idle: [0, 900).
  const Reservation front = server.reserve(0, 900);
  EXPECT_EQ(front.finish, 900);
  EXPECT_EQ(server.reserve(0, 1).start, 1150);
}

TEST(BandwidthServer, ServiceOfNothingTakesNothing) {
  BandwidthServer server(kBytePerPicosecond);
  server.reserve(0, 100);
  const Reservation nothing = server.reserve(40, 0);
  EXPECT_EQ(nothing.start, 40);
  EXPECT_EQ(nothing.finish, 40);
}

// Whatever the order of calls: nobody starts before the time asked for, and never is more served than time has passed.
TEST(BandwidthServer, NeverServesMoreThanItsBandwidth) {
  std::mt19937 random(7);
  BandwidthServer server(kBytePerPicosecond);
  Picoseconds now = 0;
  Picoseconds reserved = 0;
  for (int i = 0; i < 20'000; ++i) {
    now += random() % 60;
    const Picoseconds earliest = now + (random() % 3 == 0 ? random() % 400 : 0);
    const Picoseconds occupancy = random() % 50;
    const Reservation got = server.reserve_time(earliest, occupancy);
    ASSERT_GE(got.start, earliest);
    ASSERT_GE(got.finish - got.start, occupancy);
    reserved += occupancy;
    ASSERT_LE(reserved, server.free_at());
  }
}

// Every picosecond is given to one reservation at most. Checked on the ones that were not split.
TEST(BandwidthServer, UnsplitServicesDoNotOverlap) {
  std::mt19937 random(3);
  BandwidthServer server(kBytePerPicosecond);
  std::vector<bool> taken(400'000);
  Picoseconds now = 0;
  for (int i = 0; i < 3'000; ++i) {
    now += random() % 60;
    const Reservation got = server.reserve_time(now + random() % 300, 1 + random() % 50);
    if (got.finish - got.start != got.occupancy) continue;
    for (Picoseconds t = got.start; t < got.finish; ++t) {
      ASSERT_FALSE(taken[static_cast<std::size_t>(t)]) << "picosecond " << t;
      taken[static_cast<std::size_t>(t)] = true;
    }
  }
}

}  // namespace
}  // namespace podsim::memory
