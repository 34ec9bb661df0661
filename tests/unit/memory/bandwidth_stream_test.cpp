// Slow streams beside other users of a BandwidthServer, against shares worked out by hand.
#include <gtest/gtest.h>

#include "models/memory/bandwidth_server.h"

namespace podsim::memory {
namespace {

TEST(BandwidthStream, LeavesTheOthersWhatItDoesNotTake) {
  BandwidthServer server;
  // A quarter of the server for 4 us.
  const Reservation stream = server.reserve_stream(0, 0, 1'000'000, 4'000'000);
  EXPECT_EQ(stream.start, 0);
  EXPECT_EQ(stream.finish, 4'000'000);
  // 300 ns of work at three quarters of the rate.
  EXPECT_EQ(server.reserve_time(0, 300'000).finish, 400'000);
  // Alone again when the stream is over.
  EXPECT_EQ(server.reserve_time(4'000'000, 300'000).finish, 4'300'000);
}

TEST(BandwidthStream, FullServerServesStreamsOneAfterTheOther) {
  BandwidthServer server;
  EXPECT_EQ(server.reserve_stream(0, 0, 500'000, 1'000'000).finish, 1'000'000);
  EXPECT_EQ(server.reserve_stream(0, 0, 400'000, 1'000'000).finish, 1'000'000);
  // 0.5 + 0.4 + 0.2 is more than there is: the third is served with what the others leave, 0.1, and not beside them.
  EXPECT_NEAR(server.reserve_stream(0, 0, 160'000, 800'000).finish, 1'600'000, 10);
}

TEST(BandwidthStream, CountsThoseThatAreStillToCome) {
  BandwidthServer server;
  EXPECT_EQ(server.reserve_stream(0, 500'000, 320'000, 800'000).finish, 1'300'000);
  EXPECT_EQ(server.reserve_stream(0, 0, 320'000, 800'000).finish, 800'000);
  // 0.4 + 0.4 + 0.25 from 500 ns on: this one is served at once, with the 0.6 that are left when it comes.
  EXPECT_NEAR(server.reserve_stream(0, 400'000, 100'000, 400'000).finish, 566'667, 10);
}

TEST(BandwidthStream, FastOneIsServedAtOnce) {
  BandwidthServer server;
  EXPECT_EQ(server.reserve_stream(0, 0, 600'000, 1'000'000).finish, 600'000);
}

}  // namespace
}  // namespace podsim::memory
