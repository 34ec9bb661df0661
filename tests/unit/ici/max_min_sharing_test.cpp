// Max-min fair sharing, against examples worked out by hand and against its definition.
#include "models/ici/max_min_sharing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace podsim::ici {
namespace {

using Rate = MaxMinSharing::Rate;
using FlowId = MaxMinSharing::FlowId;
using Path = std::vector<MaxMinSharing::LinkIndex>;

TEST(MaxMinSharing, AloneAFlowTakesWhatItsNarrowestLinkHas) {
  MaxMinSharing sharing({900, 400, 700});
  const FlowId flow = sharing.add(Path{0, 1, 2});
  EXPECT_EQ(sharing.rate(flow), 400u);
  EXPECT_FALSE(sharing.stale()) << "nobody else is concerned";
  EXPECT_EQ(sharing.rate(sharing.add(Path{0})), 500u) << "what is left over";
  EXPECT_FALSE(sharing.stale()) << "it is not less than the other has";
}

TEST(MaxMinSharing, FlowsOfOneLinkShareAlike) {
  MaxMinSharing sharing({1000});
  std::vector<FlowId> flows;
  for (int i = 0; i < 3; ++i) flows.push_back(sharing.add(Path{0}));
  EXPECT_TRUE(sharing.stale());
  EXPECT_EQ(sharing.rate(flows[2]), 0u) << "nothing was left";
  EXPECT_EQ(sharing.update().size(), 3u);
  for (const FlowId flow : flows) EXPECT_EQ(sharing.rate(flow), 333u) << "a third, rounded down";
  EXPECT_FALSE(sharing.stale());
}

// Three links in a row; a flow through all of them, one more on the first and the last, two on the middle one. The
// middle link is the scarcest, 1000 among three. What the long flow leaves of the outer links, their own flows take.
TEST(MaxMinSharing, AFlowHeldBackElsewhereLeavesItsShareToTheOthers) {
  MaxMinSharing sharing({1000, 1200, 1000});
  const FlowId through = sharing.add(Path{0, 1, 2});
  const FlowId first = sharing.add(Path{0});
  const FlowId middle[] = {sharing.add(Path{1}), sharing.add(Path{1})};
  const FlowId last = sharing.add(Path{2});
  sharing.update();
  EXPECT_EQ(sharing.rate(through), 400u);
  EXPECT_EQ(sharing.rate(middle[0]), 400u);
  EXPECT_EQ(sharing.rate(middle[1]), 400u);
  EXPECT_EQ(sharing.rate(first), 600u);
  EXPECT_EQ(sharing.rate(last), 600u);

  // With one less in the middle the outer links are the scarcest: 1000 between two, and 700 are left in the middle.
  sharing.remove(middle[0]);
  EXPECT_TRUE(sharing.stale());
  sharing.update();
  EXPECT_EQ(sharing.rate(through), 500u);
  EXPECT_EQ(sharing.rate(first), 500u);
  EXPECT_EQ(sharing.rate(last), 500u);
  EXPECT_EQ(sharing.rate(middle[1]), 700u);
}

TEST(MaxMinSharing, AFlowThatWantsLessLeavesTheRest) {
  MaxMinSharing sharing({900});
  const FlowId modest = sharing.add(Path{0}, 100);
  const FlowId others[] = {sharing.add(Path{0}), sharing.add(Path{0})};
  sharing.update();
  EXPECT_EQ(sharing.rate(modest), 100u);
  EXPECT_EQ(sharing.rate(others[0]), 400u);
  EXPECT_EQ(sharing.rate(others[1]), 400u);
}

TEST(MaxMinSharing, WhoSharesNoLinkIsNotLookedAt) {
  MaxMinSharing sharing({100, 100, 100});
  sharing.add(Path{0});
  sharing.add(Path{0, 1});
  sharing.add(Path{2});
  sharing.update();
  EXPECT_EQ(sharing.last_looked_at(), 2u);
}

TEST(MaxMinSharing, ALinkThatWasNotFullFreesNothingForOthers) {
  MaxMinSharing sharing({1000, 100});
  const FlowId narrow = sharing.add(Path{0, 1});
  const FlowId modest = sharing.add(Path{0}, 200);
  EXPECT_FALSE(sharing.stale());
  sharing.remove(modest);
  EXPECT_FALSE(sharing.stale());
  EXPECT_EQ(sharing.rate(narrow), 100u);
}

// Bertsekas and Gallager's criterion: each flow has all that it wants, or a link that is full and on which nobody has
// more. "Full" and "more" but for what rounding shares down loses.
TEST(MaxMinSharing, EveryFlowHasItsBottleneck) {
  constexpr std::size_t kLinks = 24;
  std::uint64_t state = 1;
  const auto random = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    return (state >> 33) % below;
  };
  std::vector<Rate> capacities;
  for (std::size_t i = 0; i < kLinks; ++i) capacities.push_back(1'000'000 * (1 + random(4)));
  MaxMinSharing sharing(capacities);
  struct Wish {
    Path path;
    Rate most;
  };
  std::map<FlowId, Wish> flows;
  for (int round = 0; round < 2000; ++round) {
    if (flows.size() > 40 || (!flows.empty() && random(3) == 0)) {
      auto victim = flows.begin();
      std::advance(victim, random(flows.size()));
      sharing.remove(victim->first);
      flows.erase(victim);
    } else {
      Path path;
      for (std::uint64_t hops = 1 + random(5); hops > 0; --hops) {
        const auto link = static_cast<MaxMinSharing::LinkIndex>(random(kLinks));
        if (std::find(path.begin(), path.end(), link) == path.end()) path.push_back(link);
      }
      const Rate most = random(4) == 0 ? 1000 * (1 + random(800)) : MaxMinSharing::kUnlimited;
      flows[sharing.add(path, most)] = {path, most};
    }
    if (sharing.stale() && random(2) == 0) continue;  // several changes at once
    if (sharing.stale()) sharing.update();
    std::vector<Rate> used(kLinks), largest(kLinks), users(kLinks);
    for (const auto& [flow, wish] : flows) {
      for (const auto link : wish.path) {
        used[link] += sharing.rate(flow);
        largest[link] = std::max(largest[link], sharing.rate(flow));
        ++users[link];
      }
    }
    for (std::size_t i = 0; i < kLinks; ++i) ASSERT_LE(used[i], capacities[i]);
    for (const auto& [flow, wish] : flows) {
      const Rate rate = sharing.rate(flow);
      const bool has_bottleneck = std::any_of(wish.path.begin(), wish.path.end(), [&](auto link) {
        return used[link] + users[link] >= capacities[link] && rate + users[link] >= largest[link];
      });
      ASSERT_TRUE(rate == wish.most || has_bottleneck) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace podsim::ici
