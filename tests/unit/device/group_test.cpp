// Groups of chips, their rings, and the streams that go round them, by random shapes and by hand.
#include "firmware/collectives/group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace podsim::firmware {
namespace {

using ici::Axis;
using ici::TorusShape;
using ::testing::UnorderedElementsAre;

const std::vector<Axis> kAllAxes;  // none named

ChipId chip(std::uint64_t i) { return static_cast<ChipId>(i); }

TorusShape shape_of(const std::vector<std::uint32_t>& sizes, bool wrap) {
  const char* const names[] = {"x", "y", "z", "w"};
  std::vector<ici::AxisShape> axes;
  for (std::size_t i = 0; i < sizes.size(); ++i) axes.push_back({names[i], sizes[i], wrap});
  return TorusShape(axes);
}

struct Case {
  TorusShape shape;
  std::vector<Axis> axes;  // of the group
};

std::vector<Case> random_cases(unsigned count) {
  std::mt19937 random(31);
  std::vector<Case> cases;
  for (unsigned c = 0; c < count; ++c) {
    std::vector<std::uint32_t> sizes(1 + random() % 4);
    for (std::uint32_t& size : sizes) size = static_cast<std::uint32_t>(1 + random() % 5);
    std::vector<Axis> axes;
    for (unsigned i = 0; i < sizes.size(); ++i) axes.push_back(static_cast<Axis>(i));
    std::shuffle(axes.begin(), axes.end(), random);
    axes.resize(random() % (axes.size() + 1));
    cases.push_back({shape_of(sizes, random() % 2 == 0), axes});
  }
  return cases;
}

TEST(Group, RankAndMemberAreInverse) {
  for (const Case& c : random_cases(60)) {
    for (std::uint32_t self = 0; self < c.shape.chips(); ++self) {
      const Group group(c.shape, chip(self), c.axes);
      EXPECT_EQ(group.member(group.rank()), chip(self));
      std::set<ChipId> members;
      for (std::uint64_t rank = 0; rank < group.size(); ++rank) {
        const ChipId member = group.member(rank);
        members.insert(member);
        EXPECT_EQ(group.rank_of(member), rank);
        EXPECT_EQ(Group(c.shape, member, c.axes).rank(), rank) << "all members agree";
      }
      EXPECT_EQ(members.size(), group.size());
    }
  }
}

TEST(Group, MembersDifferInTheGroupsAxesOnly) {
  const TorusShape shape = shape_of({2, 3, 4}, true);
  const Group group(shape, chip(1 + 2 * 1 + 6 * 2), {Axis{2}, Axis{0}});
  EXPECT_EQ(group.size(), 8u);
  for (std::uint64_t rank = 0; rank < 8; ++rank) {
    const ici::Coordinates at = shape.coordinates(group.member(rank));
    EXPECT_EQ(at[2], rank % 4) << "the first axis named is the fastest";
    EXPECT_EQ(at[0], rank / 4);
    EXPECT_EQ(at[1], 1u);
  }
}

TEST(Group, NoAxesMeansAllAndAxesOfOneChipTakeNoPart) {
  const TorusShape shape = shape_of({2, 1, 4}, true);
  EXPECT_EQ(Group(shape, chip(0), kAllAxes).size(), 8u);
  EXPECT_EQ(Group(shape, chip(0), kAllAxes).axes(), 2u);
  EXPECT_EQ(Group(shape, chip(0), {Axis{1}}).size(), 1u);
  EXPECT_EQ(Group(shape, chip(0), {Axis{1}}).axes(), 0u);
}

TEST(Group, RingsRunAlongTheirAxis) {
  for (const Case& c : random_cases(60)) {
    for (std::uint32_t self = 0; self < c.shape.chips(); ++self) {
      const Group group(c.shape, chip(self), c.axes);
      for (unsigned i = 0; i < group.axes(); ++i) {
        const Ring ring = group.ring(i);
        ASSERT_EQ(ring.members.size(), group.axis_size(i));
        EXPECT_EQ(ring.members[ring.position], chip(self));
        for (std::size_t k = 1; k < ring.members.size(); ++k) {
          EXPECT_EQ(c.shape.distance(ring.members[k - 1], ring.members[k]), 1u);
        }
        if (ring.wraps) {
          EXPECT_EQ(c.shape.distance(ring.members.front(), ring.members.back()), 1u);
        }
      }
    }
  }
}

TEST(Group, NeighboursAreMutualAndNamedOnce) {
  for (const Case& c : random_cases(60)) {
    for (std::uint32_t self = 0; self < c.shape.chips(); ++self) {
      const std::vector<ChipId> neighbours = Group(c.shape, chip(self), c.axes).neighbours();
      EXPECT_EQ(std::set<ChipId>(neighbours.begin(), neighbours.end()).size(), neighbours.size());
      for (const ChipId neighbour : neighbours) {
        EXPECT_NE(neighbour, chip(self));
        EXPECT_THAT(Group(c.shape, neighbour, c.axes).neighbours(), ::testing::Contains(chip(self)));
      }
    }
  }
  const TorusShape shape = shape_of({2, 4}, true);
  EXPECT_THAT(Group(shape, chip(0), kAllAxes).neighbours(), UnorderedElementsAre(chip(1), chip(2), chip(6)));
}

// What the members with coordinate c on axis i hold together: the shards of their ranks, side by side.
TEST(Group, BundlesTileTheElements) {
  std::mt19937 random(8);
  for (const Case& c : random_cases(60)) {
    const auto self = static_cast<std::uint32_t>(random() % c.shape.chips());
    const Group group(c.shape, chip(self), c.axes);
    for (const std::uint64_t elements : {0ul, 1ul, random() % 100, random() % 100'000}) {
      const Range all{0, elements};
      for (unsigned i = 0; i < group.axes(); ++i) {
        // The bundles of an axis lie side by side, and together make this chip's bundle of the axis after it.
        for (std::uint64_t k = 1; k < group.axis_size(i); ++k) {
          EXPECT_EQ(group.bundle(elements, i, k - 1).last, group.bundle(elements, i, k).first);
        }
        const std::uint64_t first = group.bundle(elements, i, 0).first;
        const std::uint64_t last = group.bundle(elements, i, group.axis_size(i) - 1).last;
        const Range outer = i + 1 < group.axes() ? group.bundle(elements, i + 1, group.coordinate(i + 1)) : all;
        EXPECT_EQ(first, outer.first);
        EXPECT_EQ(last, outer.last);
        // And they hold the shards of their members: this chip's lies in its own bundle.
        const Range own = all.part(group.rank(), group.size());
        const Range mine = group.bundle(elements, i, group.coordinate(i));
        EXPECT_LE(mine.first, own.first);
        EXPECT_GE(mine.last, own.last);
        if (i == 0) {
          EXPECT_EQ(mine.first, own.first);
          EXPECT_EQ(mine.last, own.last);
        }
      }
    }
  }
}

Ring ring_of(std::uint64_t size, std::uint64_t position, bool wraps) {
  Ring ring{{}, position, wraps};
  for (std::uint64_t i = 0; i < size; ++i) ring.members.push_back(chip(10 + i));
  return ring;
}

TEST(Streams, AClosedRingCarriesOneEachWayWithHalfOfTheData) {
  const std::vector<Stream> both = streams(ring_of(4, 3, true), Directions::kBothWays);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].next, chip(10));
  EXPECT_EQ(both[0].previous, chip(12));
  EXPECT_EQ(both[1].next, chip(12));
  EXPECT_EQ(both[1].previous, chip(10));
  EXPECT_TRUE(both[1].reversed);
  EXPECT_EQ(both[1].position, 0u) << "positions count in the direction of travel";
  EXPECT_EQ(both[0].share({0, 7}).last, both[1].share({0, 7}).first);
  EXPECT_EQ(both[0].share({0, 7}).first, 0u);
  EXPECT_EQ(both[1].share({0, 7}).last, 7u);
}

TEST(Streams, ALineCarriesAnOpenOneEachWayWithAllOfTheData) {
  const std::vector<Stream> left_end = streams(ring_of(3, 0, false), Directions::kBothWays);
  ASSERT_EQ(left_end.size(), 2u);
  EXPECT_FALSE(left_end[0].closed);
  EXPECT_EQ(left_end[0].next, chip(11));
  EXPECT_EQ(left_end[0].previous, std::nullopt);
  EXPECT_EQ(left_end[1].next, std::nullopt);
  EXPECT_EQ(left_end[1].previous, chip(11));
  for (const Stream& stream : left_end) EXPECT_EQ(stream.share({0, 7}).size(), 7u);
}

TEST(Streams, OneWayIsAlwaysClosed) {
  const std::vector<Stream> one = streams(ring_of(3, 2, false), Directions::kOneWay);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_TRUE(one[0].closed);
  EXPECT_EQ(one[0].next, chip(10)) << "the last sends to the first, along the line";
  EXPECT_EQ(one[0].share({0, 7}).size(), 7u);
}

// Followed along `next`, a closed stream visits everybody once and returns; `previous` is its inverse.
TEST(Streams, NextAndPreviousAgreeAllTheWayRound) {
  for (std::uint64_t size = 2; size < 8; ++size) {
    for (const bool wraps : {true, false}) {
      for (const Directions directions : {Directions::kOneWay, Directions::kBothWays}) {
        for (std::uint64_t position = 0; position < size; ++position) {
          for (const Stream& stream : streams(ring_of(size, position, wraps), directions)) {
            EXPECT_EQ(stream.coordinate(stream.position), position);
            if (!stream.next) continue;
            const std::uint64_t there = index(*stream.next) - 10;
            const auto others = streams(ring_of(size, there, wraps), directions);
            const auto same = std::find_if(others.begin(), others.end(),
                                           [&](const Stream& other) { return other.reversed == stream.reversed; });
            ASSERT_NE(same, others.end());
            EXPECT_EQ(same->previous, chip(10 + position));
            EXPECT_EQ(same->position, (stream.position + 1) % size);
            EXPECT_EQ(same->before(1), stream.position);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace podsim::firmware
