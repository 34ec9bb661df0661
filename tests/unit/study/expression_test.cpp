// Values with units, and expressions over them.
#include "platform/study/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace podsim::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::optional<Value> lookup(const std::string& name) {
  static const std::map<std::string, const char*> known{{"chips", "16"},       {"size", "1 MiB"},
                                                        {"step", "2 s"},       {"link", "45 GB/s"},
                                                        {"algorithm", "ring"}, {"steps.0.size", "4 KiB"}};
  const auto found = known.find(name);
  return found == known.end() ? std::nullopt : std::optional(parse_value(found->second));
}

double number(const std::string& text) { return Expression(text).evaluate(&lookup).number; }

std::string error(const std::string& text) {
  try {
    (void)Expression(text).evaluate(&lookup);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(StudyValue, QuantitiesAreNumbersInBaseUnits) {
  EXPECT_EQ(parse_value("4 KiB").number, 4096);
  EXPECT_EQ(parse_value("4 KiB").dimension, kSize);
  EXPECT_EQ(parse_value("1.5 us").number, 1.5e-6);
  EXPECT_EQ(parse_value("45 GB/s").number, 45e9);
  EXPECT_EQ(parse_value("940 MHz").dimension, kFrequency);
  EXPECT_EQ(parse_value("-3").number, -3);
  EXPECT_EQ(parse_value("ring").text, "ring");
  EXPECT_EQ(parse_value("[x, y]").text, "[x, y]");
}

TEST(StudyValue, TextReadsBackToTheSameValue) {
  for (const char* text : {"4 KiB", "49.5 GB/s", "1.5 us", "940 MHz", "16", "0.25", "ring", "6 MiB"}) {
    EXPECT_EQ(value_text(parse_value(text)), text);
  }
  EXPECT_THROW((void)value_text({-1, kSize, {}}), std::invalid_argument);
  EXPECT_THROW((void)value_text({1, {2, 0}, {}}), std::invalid_argument);
}

TEST(StudyExpression, OperatorsBindAsInArithmetic) {
  EXPECT_EQ(number("1 + 2 * 3"), 7);
  EXPECT_EQ(number("(1 + 2) * 3"), 9);
  EXPECT_EQ(number("8 / 4 / 2"), 1);
  EXPECT_EQ(number("7 - 2 - 1"), 4);
  EXPECT_EQ(number("-2 * -3"), 6);
  EXPECT_EQ(number("17 % 5"), 2);
  EXPECT_EQ(number("1e3 + 2.5"), 1002.5);
  EXPECT_EQ(number("min(3, max(1, 2)) + log2(8) + ceil(0.5) + floor(1.5)"), 2 + 3 + 1 + 1);
}

TEST(StudyExpression, ConditionsCombine) {
  EXPECT_EQ(number("chips <= 16 and size > 4 KiB"), 1);
  EXPECT_EQ(number("chips < 16 or algorithm == 'ring'"), 1);
  EXPECT_EQ(number("not chips == 16"), 0);
  EXPECT_EQ(number("1 == 1 or 1 == 2 and 1 == 2"), 1);  // and binds closer
  EXPECT_EQ(number("chips != 16 and 1 / 0 > 0"), 0);    // what decides nothing is not computed
  EXPECT_TRUE(Expression("not (a < b or c == d)").is_condition());
  EXPECT_FALSE(Expression("a + b").is_condition());
  EXPECT_FALSE(Expression("a < b and c").is_condition());
}

TEST(StudyExpression, UnitsAreCarriedAlong) {
  EXPECT_EQ(number("size / 4 KiB"), 256);
  const Value rate = Expression("size / step").evaluate(&lookup);
  EXPECT_EQ(rate.dimension, kBandwidth);
  EXPECT_EQ(rate.number, 524288);
  EXPECT_EQ(number("step < 2500 ms"), 1);
  EXPECT_EQ(number("link == 45 GB/s"), 1);
  EXPECT_EQ(number("steps.0.size * 2 == 8 KiB"), 1);
  EXPECT_EQ(number("chips * 2 s/chips == 2 s"), 1);  // '/' is no part of the unit
}

TEST(StudyExpression, NamesAreThoseMentionedInOrder) {
  EXPECT_THAT(Expression("b + a.c * b > 1 s").names(), ElementsAre("b", "a.c"));
}

TEST(StudyExpression, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(error("chips <"), HasSubstr("expected a name or a number, got the end"));
  EXPECT_THAT(error("chips < 3 4"), HasSubstr("expected an operator, got '4' (column 11"));
  EXPECT_THAT(error("chips = 3"), HasSubstr("a comparison is written '=='"));
  EXPECT_THAT(error("(chips"), HasSubstr("expected ')'"));
  EXPECT_THAT(error("2 parsecs"), HasSubstr("expected an operator or a unit"));
  EXPECT_THAT(error("step < 2"), HasSubstr("a time such as '2 s' and a plain number"));
  EXPECT_THAT(error("size + step"), HasSubstr("don't go together"));
  EXPECT_THAT(error("algorithm < 'x'"), HasSubstr("takes numbers"));
  EXPECT_THAT(error("algorithm == 3"), HasSubstr("text, 'ring' and a plain number"));
  EXPECT_THAT(error("1 / 0"), HasSubstr("division by zero"));
  EXPECT_THAT(error("chip"), HasSubstr("there is no 'chip'"));
  EXPECT_THAT(error("'open"), HasSubstr("text has no end"));
  EXPECT_THAT(error(""), HasSubstr("got the end"));
}

TEST(StudyExpression, RefusesWhatWouldExhaustTheStack) {
  EXPECT_THAT(error(std::string(900, '(')), HasSubstr("nested"));
  EXPECT_THAT(error(std::string(5000, '-')), HasSubstr("longer"));
}

}  // namespace
}  // namespace podsim::study
