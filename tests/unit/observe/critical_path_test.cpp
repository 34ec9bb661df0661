// Timelines made by hand: each case knows what every picosecond was spent on.
#include "platform/observe/critical_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/observe/hand_made.h"

namespace podsim::observe {
namespace {

using ::testing::HasSubstr;

void expect_whole(const CriticalPath& path) {
  EXPECT_EQ(std::accumulate(path.shares.begin(), path.shares.end(), Picoseconds{0}), path.time);
  for (std::size_t i = 1; i < path.segments.size(); ++i) {
    EXPECT_EQ(path.segments[i - 1].end, path.segments[i].begin);
    EXPECT_LT(path.segments[i].begin, path.segments[i].end);
  }
}

// Chip 0 sends to chip 1, which waits from the beginning.
struct OneCopy : HandMade {
  OneCopy() {
    add_link(0, 1, "x+", {});
    sender = task(0, 0, 210);
    receiver = task(1, 0, 1810);
    begun = issue(0, 10, 100, 200, sender, 7);
    link(0, 250, 1250, 7);
    landed = landing(1, 1800, begun, 7);
    wait(1, 0, 1800, 1804, receiver, landed);
    step(0, 1810);
  }
  SpanId sender, receiver, begun, landed;
};

TEST(CriticalPath, DividesACopyByWhereItsBytesWere) {
  const OneCopy run;
  const CriticalPath path = find_critical_path(run.timeline);
  expect_whole(path);
  EXPECT_EQ(path.time, 1810);
  EXPECT_EQ(path.share(Cause::kLink), 1000);
  EXPECT_EQ(path.share(Cause::kHop), 500);
  EXPECT_EQ(path.share(Cause::kHbm), 50 + 50);         // read before the link, written behind it
  EXPECT_EQ(path.share(Cause::kQueue), 100 - 10);      // of the engine
  EXPECT_EQ(path.share(Cause::kIssue), 10 + 100 + 6);  // the sender's program, its engine, the receiver's program
  EXPECT_EQ(path.share(Cause::kSemaphore), 4);
  EXPECT_EQ(path.share(Cause::kCompute), 0);
}

TEST(CriticalPath, NamesTheExposedCopy) {
  const OneCopy run;
  const CriticalPath path = find_critical_path(run.timeline);
  ASSERT_EQ(path.longest.size(), 1u);
  EXPECT_EQ(path.longest[0].from, run.begun);
  EXPECT_EQ(path.longest[0].to, run.landed);
  EXPECT_EQ(path.longest[0].time, 1800 - 100);  // waited for since its issue began
  EXPECT_THAT(describe(run.timeline, path.longest[0]), HasSubstr("chip 0 -> chip 1"));
}

TEST(CriticalPath, TimeBehindOthersOnALinkIsTheLinks) {
  HandMade run;
  run.add_link(0, 1, "x+", {});
  const SpanId sender = run.task(0, 0, 200);
  const SpanId receiver = run.task(1, 0, 2000);
  const SpanId begun = run.issue(0, 0, 0, 100, sender, 2);
  run.link(0, 50, 400, 1);  // another copy
  run.link(0, 400, 1400, 2);
  run.wait(1, 0, 1900, 1900, receiver, run.landing(1, 1900, begun, 2));
  run.step(0, 2000);
  const CriticalPath path = find_critical_path(run.timeline);
  expect_whole(path);
  EXPECT_EQ(path.share(Cause::kLink), 300 + 1000);
  EXPECT_EQ(path.share(Cause::kHop), 500);
  EXPECT_EQ(path.share(Cause::kHbm), 0);
}

TEST(CriticalPath, AWaitThatFoundItsSemaphoreHighEnoughHeldNothingUp) {
  HandMade run(1);
  const SpanId program = run.task(0, 0, 1000);
  const SpanId copy = run.add(0, LaneKind::kDma, Role::kCopy, Cause::kHbm, 100, 300, 0, program, 1);
  run.issue(0, 0, 0, 100, program, 1);
  run.wait(0, 600, 600, 604, program, copy);  // it asked at 600, when the copy had long ended
  run.step(0, 1000);
  const CriticalPath path = find_critical_path(run.timeline);
  expect_whole(path);
  EXPECT_EQ(path.share(Cause::kHbm), 0);
  EXPECT_EQ(path.share(Cause::kIssue), 996);
  EXPECT_TRUE(path.longest.empty());
}

TEST(CriticalPath, FollowsCommandsThroughTheirUnit) {
  HandMade run(1);
  const SpanId program = run.task(0, 0, 1000);
  const auto command = [&](Cause cause, Picoseconds begin, Picoseconds end) {
    return run.add(0, LaneKind::kVpu, Role::kCommand, cause, begin, end, 10, program);
  };
  command(Cause::kHbm, 20, 400);
  const SpanId second = command(Cause::kCompute, 400, 990);
  run.wait(0, 30, 990, 994, program, second);
  run.step(0, 1000);
  const CriticalPath path = find_critical_path(run.timeline);
  expect_whole(path);
  EXPECT_EQ(path.share(Cause::kCompute), 590);
  EXPECT_EQ(path.share(Cause::kHbm), 380);
  EXPECT_EQ(path.share(Cause::kSemaphore), 4);
  EXPECT_EQ(path.share(Cause::kIssue), 20 + 6);
}

TEST(CriticalPath, GoesOnInTheTaskThatWasWaitedFor) {
  HandMade run(1);
  const SpanId program = run.task(0, 0, 1000);
  const SpanId spawned = run.task(0, 100, 900, program);
  const SpanId copy = run.add(0, LaneKind::kDma, Role::kCopy, Cause::kPcie, 200, 800, 150, spawned, 1);
  run.issue(0, 150, 150, 200, spawned, 1);
  run.wait(0, 160, 800, 804, spawned, copy);
  run.timeline.join({900, spawned, program});
  run.step(0, 1000);
  const CriticalPath path = find_critical_path(run.timeline);
  expect_whole(path);
  EXPECT_EQ(path.share(Cause::kPcie), 600);
  EXPECT_EQ(path.share(Cause::kIssue), 100 + (900 - 804) + 50 + (150 - 100) + 100);
}

TEST(CriticalPath, ATaskThatHadEndedBeforeWasNotWaitedFor) {
  HandMade run(1);
  const SpanId program = run.task(0, 0, 1000);
  const SpanId spawned = run.task(0, 100, 300, program);
  run.timeline.join({900, spawned, program});
  run.step(0, 1000);
  const CriticalPath path = find_critical_path(run.timeline);
  expect_whole(path);
  for (const auto& segment : path.segments) EXPECT_NE(segment.span, spawned);
}

TEST(CriticalPath, CoversEachStepAndNothingBetween) {
  HandMade run(1);
  run.task(0, 0, 100);
  run.step(0, 100);
  run.task(0, 150, 350);
  run.step(150, 200);
  const CriticalPath path = find_critical_path(run.timeline);
  EXPECT_EQ(path.time, 300);
  EXPECT_EQ(std::accumulate(path.shares.begin(), path.shares.end(), Picoseconds{0}), 300);
}

TEST(CriticalPath, OfAHangEndsInAWaitThatNothingReleased) {
  HandMade run(1);
  const SpanId program = run.task(0, 0, 1000);
  const SpanId copy = run.add(0, LaneKind::kDma, Role::kCopy, Cause::kHbm, 100, 300, 0, program, 1);
  run.issue(0, 0, 0, 100, program, 1);
  run.wait(0, 50, 300, 304, program, copy);
  run.add(0, LaneKind::kWait, Role::kWait, Cause::kSemaphore, 310, 1000, 310, program);
  run.step(0, 1000, false);
  const CriticalPath path = find_critical_path(run.timeline);
  expect_whole(path);
  EXPECT_EQ(path.share(Cause::kSemaphore), (1000 - 304) + 4);
  EXPECT_EQ(path.share(Cause::kHbm), 200);
}

TEST(CriticalPath, SaysWhichLinksAreBusyAndWhichIdle) {
  OneCopy run;
  run.timeline.links.clear();
  run.add_link(0, 1, "x+", {1.0, 0.94});
  run.add_link(0, 1, "y+", {0.0, 0.0});
  run.timeline.link_slice = 905;
  const std::string text = advice(run.timeline, find_critical_path(run.timeline));
  EXPECT_THAT(text, HasSubstr("x+ links are busy up to 97 %"));
  EXPECT_THAT(text, HasSubstr("y+ idle"));
  EXPECT_THAT(text, HasSubstr("spreading the bytes"));
}

}  // namespace
}  // namespace podsim::observe
