#include "platform/validate/reference.h"

#include <gtest/gtest.h>

namespace podsim::validate {
namespace {

Row row(double expected, double model, Tolerance tolerance) {
  Row row;
  row.reference.expected = expected;
  row.reference.tolerance = tolerance;
  row.model = model;
  return row;
}

TEST(ValidateReference, ErrorIsRelativeAndSigned) {
  EXPECT_DOUBLE_EQ(row(200, 190, {0.1, false}).error(), -0.05);
  EXPECT_DOUBLE_EQ(row(200, 210, {0.1, false}).error(), 0.05);
}

TEST(ValidateReference, ErrorInPointsIsADifference) { EXPECT_DOUBLE_EQ(row(90, 87.5, {5, true}).error(), -2.5); }

TEST(ValidateReference, TheToleranceItselfIsWithin) {
  EXPECT_EQ(row(100, 105, {5, true}).verdict(), Verdict::kWithin);
  EXPECT_EQ(row(100, 105.01, {5, true}).verdict(), Verdict::kOutside);
  EXPECT_EQ(row(100, 95, {5, true}).verdict(), Verdict::kWithin);
  EXPECT_EQ(row(100, 94.99, {5, true}).verdict(), Verdict::kOutside);
  EXPECT_EQ(row(7, 7, {0, true}).verdict(), Verdict::kWithin);
}

TEST(ValidateReference, AReasonExcusesAFigureButNotItsAbsence) {
  Row outside = row(100, 150, {0.15, false});
  outside.reference.explained = "because";
  EXPECT_EQ(outside.verdict(), Verdict::kExplained);
  outside.model.reset();
  EXPECT_EQ(outside.verdict(), Verdict::kFailed);
}

TEST(ValidateReference, WhatIsNoNumberIsNoFigure) {
  EXPECT_EQ(row(100, std::nan(""), {0.15, false}).verdict(), Verdict::kFailed);
  EXPECT_EQ(row(100, INFINITY, {0.15, false}).verdict(), Verdict::kFailed);
}

TEST(ValidateReference, TheMedianLeavesOutWhatWasFittedAndWhatFailed) {
  Table table;
  table.rows = {row(100, 101, {0.1, false}), row(100, 97, {0.1, false}), row(100, 120, {0.1, false}),
                row(100, 100, {0.1, false}), row(100, 100, {0.1, false})};
  table.rows[3].reference.fitted = "some.constant";
  table.rows[4].model.reset();
  const Summary summary = summarise(table);
  EXPECT_EQ(summary.rows, 5u);
  EXPECT_EQ(summary.within, 3u);
  EXPECT_EQ(summary.outside, 1u);
  EXPECT_EQ(summary.failed, 1u);
  EXPECT_EQ(summary.fitted, 1u);
  EXPECT_NEAR(summary.median, 0.03, 1e-12);
  EXPECT_NEAR(summary.worst, 0.20, 1e-12);
}

TEST(ValidateReference, TheMedianOfAnEvenNumberIsBetweenTheMiddleTwo) {
  Table table;
  table.rows = {row(100, 101, {0.1, false}), row(100, 103, {0.1, false})};
  EXPECT_NEAR(summarise(table).median, 0.02, 1e-12);
}

}  // namespace
}  // namespace podsim::validate
