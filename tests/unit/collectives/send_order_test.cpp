// Orders of a direct all-to-all: everybody exactly once; one order for all, or one of its own for each member.
#include "firmware/collectives/send_order.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace podsim::firmware {
namespace {

std::vector<std::uint64_t> order_of(const ici::TorusShape& torus, std::uint32_t chip, std::uint64_t seed) {
  const Group group(torus, static_cast<ChipId>(chip), {});
  const SendOrder order(group, seed);
  std::vector<std::uint64_t> ranks;
  for (std::uint64_t n = 0; n + 1 < group.size(); ++n) ranks.push_back(order[n]);
  return ranks;
}

TEST(SendOrder, EverybodyElseOnce) {
  const ici::TorusShape torus({{"x", 4, true}, {"y", 3, true}});
  for (const std::uint64_t seed : {0u, 1u, 2u}) {
    for (std::uint32_t chip = 0; chip < 12; ++chip) {
      std::vector<std::uint64_t> ranks = order_of(torus, chip, seed);
      std::sort(ranks.begin(), ranks.end());
      std::vector<std::uint64_t> others;
      for (std::uint64_t rank = 0; rank < 12; ++rank) {
        if (rank != chip) others.push_back(rank);
      }
      EXPECT_EQ(ranks, others);
    }
  }
}

TEST(SendOrder, WithoutASeedAllSendOverTheSameDistance) {
  const ici::TorusShape ring({{"x", 8, true}});
  EXPECT_EQ(order_of(ring, 0, 0), (std::vector<std::uint64_t>{1, 7, 2, 6, 3, 5, 4}));
  EXPECT_EQ(order_of(ring, 3, 0), (std::vector<std::uint64_t>{4, 2, 5, 1, 6, 0, 7}));
}

TEST(SendOrder, SeedsAndMembersHaveOrdersOfTheirOwn) {
  const ici::TorusShape torus({{"x", 8, true}, {"y", 8, true}});
  EXPECT_EQ(order_of(torus, 5, 1), order_of(torus, 5, 1));
  EXPECT_NE(order_of(torus, 5, 1), order_of(torus, 5, 2));
  // Not the same distances as another member's.
  std::vector<std::uint64_t> shifted = order_of(torus, 5, 1);
  for (std::uint64_t& rank : shifted) rank = rank / 8 * 8 + (rank + 1) % 8;
  EXPECT_NE(order_of(torus, 6, 1), shifted);
}

TEST(SendOrder, AGroupOfOneSendsToNobody) {
  const ici::TorusShape one({{"x", 1, false}});
  EXPECT_TRUE(order_of(one, 0, 1).empty());
}

}  // namespace
}  // namespace podsim::firmware
