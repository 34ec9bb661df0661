#include "platform/observe/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

#include "platform/observe/binned_series.h"
#include "platform/observe/lanes.h"
#include "platform/observe/selection.h"
#include "tests/unit/observe/hand_made.h"

namespace podsim::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Timeline, KeepsAsManySpansAndArrowsAsItMayAndCountsTheRest) {
  Timeline timeline(3);
  const SpanId one = timeline.add({}), other = timeline.add({});
  timeline.connect(one, other, ArrowKind::kCopy);
  EXPECT_EQ(timeline.add({}), kNone);
  timeline.connect(one, other, ArrowKind::kCopy);
  timeline.connect(one, kNone, ArrowKind::kCopy);  // nothing to keep
  EXPECT_EQ(timeline.spans().size(), 2u);
  EXPECT_EQ(timeline.arrows().size(), 1u);
  EXPECT_EQ(timeline.dropped(), 2u);
}

TEST(Timeline, ForgetsWhatCameAfterAMark) {
  HandMade run;
  run.task(0, 0, 10);
  const Timeline::Mark mark = run.timeline.mark();
  run.task(0, 10, 20);
  run.step(0, 20);
  run.timeline.forget(mark);
  EXPECT_EQ(run.timeline.spans().size(), 1u);
  EXPECT_TRUE(run.timeline.steps.empty());
}

TEST(LaneSet, SpansThatOverlapGetTracksOfTheirOwn) {
  Timeline timeline;
  LaneBook book(timeline);
  LaneSet& lane = book.lane(timeline.add_group({timeline.intern("chip"), GroupKind::kChip, 0}), Place::kDma, 0,
                            LaneKind::kDma, "DMA 0");
  const LaneId first = lane.put(0, 10), second = lane.put(5, 20), again = lane.put(10, 12);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, again);  // free from 10 on
  EXPECT_EQ(timeline.text(timeline.lanes()[second].name), "DMA 0 (2)");
  EXPECT_EQ(lane_of(timeline.lanes()[first].rank), lane_of(timeline.lanes()[second].rank));
}

TEST(LaneBook, OrderDoesNotDependOnWhatHappenedFirst) {
  Timeline timeline;
  LaneBook book(timeline);
  const GroupId group = timeline.add_group({timeline.intern("chip"), GroupKind::kChip, 0});
  book.lane(group, Place::kSync, 0, LaneKind::kWait, "waits").put(0, 1);
  book.lane(group, Place::kSteps, 0, LaneKind::kProgram, "Steps").put(0, 1);
  EXPECT_THAT(timeline.lanes_in_order(), ElementsAre(1u, 0u));
}

TEST(BinnedSeries, KeepsTheSumHoweverLongItGets) {
  BinnedSeries series;
  double sum = 0;
  for (Picoseconds time = 0; time < 100'000'000; time += 333'333) {
    series.add(time, time + 200'000, 7);
    sum += 7;
  }
  EXPECT_LE(series.values().size(), BinnedSeries::kBins);
  EXPECT_NEAR(std::accumulate(series.values().begin(), series.values().end(), 0.0), sum, 1e-6);
}

TEST(BinnedSeries, SpreadsEvenlyOverItsBins) {
  BinnedSeries series;
  const Picoseconds width = BinnedSeries::kFirstWidth;
  series.add(width / 2, width * 2, 3);  // half a bin, and a whole one
  EXPECT_THAT(series.values(), ElementsAre(::testing::DoubleEq(1), ::testing::DoubleEq(2)));
  series.widen_to(2 * width);
  EXPECT_THAT(series.values(), ElementsAre(::testing::DoubleEq(3)));
}

const ici::TorusShape& torus() {
  static const ici::TorusShape shape({{"x", 4, true}, {"y", 2, false}});
  return shape;
}

std::vector<unsigned> chosen(const std::string& text) {
  const std::vector<bool> chips = parse_chips(text, torus());
  std::vector<unsigned> numbers;
  for (unsigned i = 0; i < chips.size(); ++i) {
    if (chips[i]) numbers.push_back(i);
  }
  return numbers;
}

TEST(ParseChips, NumbersRangesAndCoordinates) {
  EXPECT_THAT(chosen("5"), ElementsAre(5u));
  EXPECT_THAT(chosen("1-3,6"), ElementsAre(1u, 2u, 3u, 6u));
  EXPECT_THAT(chosen("x=0"), ElementsAre(0u, 4u));
  EXPECT_THAT(chosen("0,y=1"), ElementsAre(0u, 4u, 5u, 6u, 7u));
}

std::string error_of(const std::string& text) {
  try {
    (void)parse_chips(text, torus());
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(ParseChips, SaysWhatIsWrong) {
  EXPECT_THAT(error_of("8"), HasSubstr("chips are 0 to 7"));
  EXPECT_THAT(error_of("3-1"), HasSubstr("ends before it begins"));
  EXPECT_THAT(error_of("z=1"), HasSubstr("no axis 'z'"));
  EXPECT_THAT(error_of("x=4"), HasSubstr("axis x goes from 0 to 3"));
  EXPECT_THAT(error_of("one"), HasSubstr("expected chips such as"));
  EXPECT_THAT(error_of("1,,2"), HasSubstr("expected chips such as"));
  EXPECT_THAT(error_of(""), HasSubstr("expected chips such as"));
}

}  // namespace
}  // namespace podsim::observe
