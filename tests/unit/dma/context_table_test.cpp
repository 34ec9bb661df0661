// Turns of a DMA engine's copies, worked out by hand.
#include <gtest/gtest.h>

#include <vector>

#include "models/dma/context_table.h"

namespace podsim::dma {
namespace {

Descriptor to_chip(std::uint32_t chip, Bytes bytes) {
  return {.destination = make_address(static_cast<ChipId>(chip), Region::kHbm, 0), .bytes = bytes};
}

DmaConfig with(unsigned contexts, unsigned outstanding_bursts) {
  return {.contexts = contexts, .outstanding_bursts = outstanding_bursts};
}

TEST(ContextTable, CopiesTakeTurnsABurstEach) {
  ContextTable table(with(4, 2));
  const unsigned a = table.open(to_chip(1, 100), 1, true);
  const unsigned b = table.open(to_chip(2, 100), 2, true);
  std::vector<unsigned> order;
  while (table.next() != ContextTable::kNone) {
    order.push_back(table.next());
    table.burst_started(order.back(), 10);
  }
  // Two bursts of each may be on the way.
  EXPECT_EQ(order, (std::vector<unsigned>{a, b, a, b}));
  table.burst_done(b, 10);
  EXPECT_EQ(table.next(), b);
}

TEST(ContextTable, CopiesToTheSameChipStartInTheOrderOfIssue) {
  ContextTable table(with(8, 2));
  const unsigned first = table.open(to_chip(1, 20), 1, true);
  const unsigned second = table.open(to_chip(1, 20), 2, true);
  const unsigned third = table.open(to_chip(1, 20), 3, true);
  const unsigned other = table.open(to_chip(2, 20), 4, true);
  table.burst_started(first, 10);
  EXPECT_EQ(table.next(), other) << "a copy to another chip does not wait";
  table.burst_started(other, 20);
  EXPECT_EQ(table.next(), first);
  table.burst_started(first, 10);
  EXPECT_EQ(table.next(), second);
  table.burst_started(second, 20);
  EXPECT_EQ(table.next(), third);
}

TEST(ContextTable, LocalCopiesWaitForNobody) {
  ContextTable table(with(8, 4));
  const unsigned first = table.open(to_chip(0, 20), 1, false);
  const unsigned second = table.open(to_chip(0, 20), 2, false);
  table.burst_started(first, 10);
  EXPECT_EQ(table.next(), second);
}

TEST(ContextTable, AnEmptyCopyHoldsUpNobodyAndGivesItsContextBack) {
  ContextTable table(with(2, 4));
  table.close(table.open(to_chip(1, 0), 1, true));
  EXPECT_TRUE(table.empty());
  const unsigned copy = table.open(to_chip(1, 10), 2, true);
  EXPECT_EQ(table.next(), copy);
  (void)table.open(to_chip(2, 10), 3, true);
  EXPECT_TRUE(table.full());
}

TEST(ContextTable, AFollowersTurnIsWhenThoseBeforeItHaveLeft) {
  ContextTable table(with(4, 4));
  table[table.open(to_chip(1, 10), 1, true)].way_free = 500;
  table[table.open(to_chip(2, 10), 2, true)].way_free = 900;
  EXPECT_EQ(table[table.open(to_chip(1, 10), 3, true)].turn, 500);
}

TEST(ContextTable, SixtyFourContextsAreServedOnceARound) {
  ContextTable table(with(kMostContexts, 1));
  for (unsigned i = 0; i < kMostContexts; ++i) (void)table.open(to_chip(i + 1, 10), i, true);
  EXPECT_TRUE(table.full());
  for (unsigned i = 0; i < kMostContexts; ++i) {
    ASSERT_EQ(table.next(), i);
    table.burst_started(i, 5);
  }
  EXPECT_EQ(table.next(), ContextTable::kNone);
}

}  // namespace
}  // namespace podsim::dma
