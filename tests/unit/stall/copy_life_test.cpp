// What held a copy up, at each moment, from the times that its blocks tell.
#include "platform/stall/copy_life.h"

#include <gtest/gtest.h>

namespace podsim::stall {
namespace {

Stalls explained(const CopyLife& copy, Picoseconds from, Picoseconds to, std::size_t burst, bool at_sender = false) {
  TimeLine line(from);
  copy.explain(line, to, burst, at_sender);
  EXPECT_EQ(line.end(), to);
  EXPECT_EQ(line.between(from, to).all(), to - from);
  return line.between(from, to);
}

Stalls stalls(std::initializer_list<std::pair<Cause, Picoseconds>> times) {
  Stalls all;
  for (const auto& [cause, time] : times) all[cause] = time;
  return all;
}

// Queued at 100, issued (30) behind others at 150; read in 40; on the link, alone, from 190 to 290, there at 340; in
// memory at 360.
CopyLife one_burst() {
  CopyLife copy{.remote = true, .queued = 100, .started = 150, .issue = 30};
  copy.bursts = {{.requested = 150, .ready = 190, .on_link = 190, .left = 290, .arrived = 340, .visible = 360}};
  return copy;
}

TEST(TimeLine, HasNoGapsAndCanBeCutAnywhere) {
  TimeLine line(10);
  line.add_until(20, Cause::kLink);
  line.add_until(15, Cause::kHbm);  // not later than its end: nothing
  line.add_until(40, Cause::kCore);
  EXPECT_EQ(line.between(0, 100).by, stalls({{Cause::kLink, 10}, {Cause::kCore, 20}}).by);
  EXPECT_EQ(line.between(15, 25).by, stalls({{Cause::kLink, 5}, {Cause::kCore, 5}}).by);
}

TEST(CopyLife, AnArrivalIsFollowedFromTheSignalToTheMemory) {
  EXPECT_EQ(explained(one_burst(), 0, 360, 0).by, stalls({{Cause::kSemaphore, 100},
                                                          {Cause::kDmaSlot, 20},
                                                          {Cause::kCore, 30},
                                                          {Cause::kHbm, 40 + 20},
                                                          {Cause::kLink, 100 + 50}})
                                                      .by);
}

TEST(CopyLife, OnlyWhatLiesWithinTheWaitCounts) {
  EXPECT_EQ(explained(one_burst(), 240, 360, 0).by, stalls({{Cause::kLink, 100}, {Cause::kHbm, 20}}).by);
}

TEST(CopyLife, ForTheSenderItEndsWhenTheLastByteHasLeft) {
  EXPECT_EQ(explained(one_burst(), 0, 290, 0, true).by,
            stalls({{Cause::kCore, 100 + 30}, {Cause::kDmaSlot, 20}, {Cause::kHbm, 40}, {Cause::kLink, 100}}).by);
}

// Three bursts, read side by side, go over the link one behind the other: the link's time, but for the first read.
TEST(CopyLife, BurstsThatWaitForTheLinkAreHeldUpByIt) {
  CopyLife copy{.remote = true, .queued = 0, .started = 0};
  for (Picoseconds i = 0; i < 3; ++i) {
    copy.bursts.push_back({.requested = 0,
                           .ready = 40 + i,
                           .on_link = 40 + 100 * i,
                           .left = 140 + 100 * i,
                           .arrived = 150 + 100 * i,
                           .visible = 170 + 100 * i});
  }
  EXPECT_EQ(explained(copy, 0, 370, 2).by, stalls({{Cause::kHbm, 40 + 20}, {Cause::kLink, 310}}).by);
}

// The same with a memory that is slower than the link: each burst is asked for when the one before has left.
TEST(CopyLife, BurstsThatMemoryIsSlowToGiveAreHeldUpByIt) {
  CopyLife copy{.remote = true, .queued = 0, .started = 0};
  for (Picoseconds i = 0; i < 3; ++i) {
    copy.bursts.push_back({.requested = 100 * i,
                           .ready = 90 + 100 * i,
                           .on_link = 90 + 100 * i,
                           .left = 100 + 100 * i,
                           .arrived = 110 + 100 * i,
                           .visible = 110 + 100 * i});
  }
  EXPECT_EQ(explained(copy, 0, 310, 2).by, stalls({{Cause::kHbm, 270}, {Cause::kLink, 3 * 10 + 10}}).by);
}

// As slow as the source gives it: the link only waits.
TEST(CopyLife, AStreamThatTricklesOutOfMemoryIsHeldUpByIt) {
  CopyLife copy = one_burst();
  copy.bursts[0].slow_source = true;
  EXPECT_EQ(explained(copy, 150, 360, 0).by, stalls({{Cause::kHbm, 140 + 20}, {Cause::kLink, 50}}).by);
}

TEST(CopyLife, BeforeItsTurnOnTheWayItIsTheLinksBehindOlderCopies) {
  CopyLife copy = one_burst();
  copy.bursts[0].requested = 170;
  EXPECT_EQ(explained(copy, 140, 190, 0).by, stalls({{Cause::kCore, 10}, {Cause::kLink, 20}, {Cause::kHbm, 20}}).by);
}

}  // namespace
}  // namespace podsim::stall
