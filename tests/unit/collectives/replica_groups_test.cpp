// Replica groups: which of them are a part of the torus, how their rings are laid, and what is refused.
#include "firmware/collectives/replica_groups.h"

#include <gtest/gtest.h>

#include <set>

#include "firmware/device/errors.h"

namespace podsim::firmware {
namespace {

std::vector<std::vector<ChipId>> lists(const std::vector<std::vector<unsigned>>& numbers) {
  std::vector<std::vector<ChipId>> all;
  for (const auto& list : numbers) {
    all.emplace_back();
    for (const unsigned chip : list) all.back().push_back(static_cast<ChipId>(chip));
  }
  return all;
}

const ici::TorusShape& torus() {
  static const ici::TorusShape shape({{"x", 4, true}, {"y", 4, true}});
  return shape;
}

TEST(ReplicaGroups, FindsAxesWhereTheListFollowsThem) {
  const ReplicaGroups groups(torus(), lists({{0, 1, 2, 3}, {4, 8, 12}, {5, 9, 13}, {7, 11, 15, 14}}));
  ASSERT_TRUE(groups.groups()[0].axes);
  EXPECT_EQ(*groups.groups()[0].axes, std::vector{ici::Axis{0}});
  EXPECT_EQ(groups.groups()[0].stretch.max, 1u);
  EXPECT_FALSE(groups.groups()[1].axes) << "three of four";
}

TEST(ReplicaGroups, FindsAxesInAnyOrder) {
  std::vector<unsigned> columns_first;
  for (unsigned x = 0; x < 4; ++x) {
    for (unsigned y = 0; y < 4; ++y) columns_first.push_back(4 * y + x);
  }
  const ReplicaGroups groups(torus(), lists({columns_first}));
  ASSERT_TRUE(groups.groups()[0].axes);
  EXPECT_EQ(*groups.groups()[0].axes, (std::vector{ici::Axis{1}, ici::Axis{0}}));
}

TEST(ReplicaGroups, RingVisitsEveryMemberOnce) {
  const ReplicaGroups groups(torus(), lists({{9, 2, 7, 4, 13, 0}}));
  const ReplicaGroup& group = groups.groups()[0];
  EXPECT_EQ(std::set(group.rank_at.begin(), group.rank_at.end()).size(), 6u);
  for (std::uint64_t rank = 0; rank < 6; ++rank) EXPECT_EQ(group.rank_at[group.place_of[rank]], rank);
}

// A block of 2 x 3 chips in an order that jumps about has a ring of links alone, and it is found.
TEST(ReplicaGroups, FindsTheRingOfLinksInABlock) {
  const ReplicaGroups groups(torus(), lists({{0, 9, 4, 1, 8, 5}}));
  EXPECT_EQ(groups.stretch().max, 1u);
  EXPECT_DOUBLE_EQ(groups.stretch().mean, 1.0);
}

// Every other chip of a row of eight: two links an edge, whichever way.
TEST(ReplicaGroups, ReportsStretch) {
  const ici::TorusShape row({{"x", 8, true}});
  const ReplicaGroups groups(row, lists({{0, 4, 2, 6}}));
  EXPECT_EQ(groups.stretch().max, 2u);
  EXPECT_DOUBLE_EQ(groups.stretch().mean, 2.0);
}

TEST(ReplicaGroups, RefusesWhatIsNoPartition) {
  EXPECT_THROW(ReplicaGroups(torus(), lists({{0, 1}, {1, 2}})), ProgramError);
  EXPECT_THROW(ReplicaGroups(torus(), lists({{0, 0}})), ProgramError);
  EXPECT_THROW(ReplicaGroups(torus(), lists({{0}, {}})), ProgramError);
  EXPECT_THROW(ReplicaGroups(torus(), lists({{16}})), ProgramError);
}

}  // namespace
}  // namespace podsim::firmware
