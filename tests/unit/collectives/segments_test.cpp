#include "firmware/collectives/segments.h"

#include <gtest/gtest.h>

#include "firmware/collectives/reduce_stream.h"

namespace podsim::firmware {
namespace {

TEST(Segments, WhatFitsIsNotCut) {
  const Segments cut = cut_to_fit(2 * kMiB, 2, 4 * kMiB);
  EXPECT_EQ(cut.segments, 1u);
  EXPECT_EQ(cut.chunks, 2u);
  EXPECT_EQ(cut.slots, 4u);
  EXPECT_TRUE(cut.fits);
}

TEST(Segments, SlotsTooSmallForARoundDoNotFit) { EXPECT_FALSE(cut_to_fit(2 * kMiB, 2, 100 * kKiB).fits); }

// Slots of the segments as they are cut, not as they would be if the share had been left whole; and one segment less
// would not do.
TEST(Segments, TheSlotsAlwaysHaveRoomAndNoSegmentIsWasted) {
  for (const std::uint64_t chunks : {1u, 2u, 3u, 4u, 5u, 8u, 16u}) {
    for (Bytes share = 100 * kKiB; share < 512 * kMiB; share = share * 7 / 4) {
      for (Bytes room = 64 * kKiB; room < 128 * kMiB; room = room * 5 / 2) {
        const Segments cut = cut_to_fit(share, chunks, room);
        if (!cut.fits) continue;
        SCOPED_TRACE(::testing::Message() << chunks << " chunks of " << share << " in " << room);
        EXPECT_EQ(cut.slots, ReduceStream::slots(cut.chunks));
        EXPECT_GE(cut.chunks, std::min<std::uint64_t>(chunks, 2));
        EXPECT_LE(cut.chunks, chunks);
        const auto needed = [&](std::uint64_t segments) {
          return static_cast<double>(cut.slots) * static_cast<double>(share) /
                 static_cast<double>(segments * cut.chunks);
        };
        EXPECT_LE(needed(cut.segments), 1.0001 * static_cast<double>(room));
        if (cut.segments == 1 || cut.chunks > 2) continue;
        EXPECT_GT(1.001 * needed(cut.segments - 1), static_cast<double>(room));
      }
    }
  }
}

}  // namespace
}  // namespace podsim::firmware
