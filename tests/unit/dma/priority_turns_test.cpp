// The rule of priorities, and that nobody starves under it.
#include <gtest/gtest.h>

#include <string>

#include "models/dma/priority_turns.h"

namespace podsim::dma {
namespace {

constexpr unsigned kAll = 0b111;

// The levels of so many turns while the same levels have something to do.
std::string turns(unsigned overtakes, unsigned present, unsigned count) {
  PriorityTurns rule(overtakes);
  std::string order;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned level = rule.next(present);
    rule.took(level, present);
    order += "bnu"[level];
  }
  return order;
}

TEST(PriorityTurns, TheHighestGoesFirst) {
  const PriorityTurns rule(4);
  EXPECT_EQ(rule.next(1u << level_of(Priority::kNormal)), level_of(Priority::kNormal));
  EXPECT_EQ(rule.next(kAll), level_of(Priority::kUrgent));
  EXPECT_EQ(rule.next(0b011), level_of(Priority::kNormal));
}

TEST(PriorityTurns, WhoHasBeenPassedOverOftenEnoughGoesNextOnce) {
  EXPECT_EQ(turns(3, 0b110, 12), "uuunuuunuuun");
  EXPECT_EQ(turns(1, 0b101, 6), "ububub");
}

TEST(PriorityTurns, TheLowerOfTwoThatAreDueGoesFirst) { EXPECT_EQ(turns(3, kAll, 10), "uuubnuubun"); }

TEST(PriorityTurns, OnlyThoseCountThatHadSomethingToDo) {
  PriorityTurns rule(2);
  for (int i = 0; i < 10; ++i) rule.took(2, 0b100);
  EXPECT_EQ(rule.next(kAll), 2u);
}

}  // namespace
}  // namespace podsim::dma
