// The order of a direct all-to-all: every destination once, and the axes evenly used all the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "firmware/collectives/all_to_all_order.h"

namespace podsim::firmware {
namespace {

ici::TorusShape torus(const std::vector<unsigned>& sizes) {
  std::vector<ici::AxisShape> axes;
  for (std::size_t i = 0; i < sizes.size(); ++i) axes.push_back({std::string(1, "xyzw"[i]), sizes[i], true});
  return ici::TorusShape(axes);
}

const std::vector<std::vector<unsigned>> kShapes = {{1},    {2},       {8},       {5},          {4, 4},      {3, 5},
                                                    {8, 8}, {4, 4, 8}, {8, 4, 4}, {16, 16, 16}, {2, 3, 4, 5}};

TEST(AllToAllOrder, ServesEachMemberOnce) {
  for (const auto& sizes : kShapes) {
    const ici::TorusShape shape = torus(sizes);
    const ChipId self = static_cast<ChipId>(shape.chips() / 3);
    const Group group(shape, self, {});
    std::set<std::uint64_t> ranks = {group.rank()};
    for (const std::uint32_t offset : all_to_all_order(group)) ranks.insert(rank_at_offset(group, offset));
    EXPECT_EQ(ranks.size(), shape.chips());
    EXPECT_EQ(all_to_all_order(group).size() + 1, shape.chips());
  }
}

TEST(AllToAllOrder, EveryoneReceivesFromOneAtATime) {
  const ici::TorusShape shape = torus({4, 3, 2});
  const std::vector<std::uint32_t> order = all_to_all_order(Group(shape, ChipId{0}, {}));
  for (const std::uint32_t offset : order) {
    std::set<std::uint64_t> targets;
    for (std::uint32_t i = 0; i < shape.chips(); ++i) {
      targets.insert(rank_at_offset(Group(shape, static_cast<ChipId>(i), {}), offset));
    }
    EXPECT_EQ(targets.size(), shape.chips());
  }
}

// 32 copies under way, as DMA engines have contexts: on each axis they travel as many links as 32 of the mean, which is
// k/4 on a ring of even size, give or take a quarter; and as many up as down.
TEST(AllToAllOrder, LoadsTheAxesEvenlyAtAnyTime) {
  constexpr std::size_t kUnderWay = 32;
  for (const auto& sizes : std::vector<std::vector<unsigned>>{{8, 8}, {4, 4, 8}, {8, 4, 4}, {8, 8, 8}, {16, 16}}) {
    const ici::TorusShape shape = torus(sizes);
    const Group group(shape, ChipId{0}, {});
    const std::vector<std::uint32_t> order = all_to_all_order(group);
    for (std::size_t first = 0; first + kUnderWay <= order.size(); ++first) {
      for (unsigned axis = 0; axis < sizes.size(); ++axis) {
        double up = 0, down = 0;
        for (std::size_t n = first; n < first + kUnderWay; ++n) {
          const std::uint64_t links = group.digit(order[n], axis);
          if (2 * links == sizes[axis]) up += static_cast<double>(links) / 2, down += static_cast<double>(links) / 2;
          if (2 * links < sizes[axis]) up += static_cast<double>(links);
          if (2 * links > sizes[axis]) down += static_cast<double>(sizes[axis] - links);
        }
        const double mean = kUnderWay * sizes[axis] / 4.0;
        EXPECT_NEAR(up + down, mean, mean / 4) << "axis " << axis << " from " << first;
        EXPECT_NEAR(up, down, mean / 8) << "axis " << axis << " from " << first;
      }
    }
  }
}

}  // namespace
}  // namespace podsim::firmware
