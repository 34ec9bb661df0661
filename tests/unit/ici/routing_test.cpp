// Dimension-order routing: minimal ways, even splits, and freedom from deadlock.
//
// The last is proved by brute force (dependency_graph.h). Without the dateline the same construction finds a cycle, so
// the method is able to.
#include "models/ici/routing.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/unit/ici/dependency_graph.h"

namespace podsim::ici {
namespace {

const std::vector<std::vector<unsigned>> kShapes = {
    {2}, {3}, {4}, {5}, {8}, {9}, {4, 4}, {3, 5}, {6, 2}, {8, 4}, {4, 4, 4}, {2, 3, 5}, {5, 1, 4}, {3, 4, 2, 5}};

TEST(DimensionOrderRouting, EveryWayIsMinimalAndInDimensionOrder) {
  for (const bool wrap : {true, false}) {
    for (const auto& sizes : kShapes) {
      const TorusShape shape = shape_of(sizes, wrap);
      const DimensionOrderRouting routing(shape, 2);
      for (std::uint32_t from = 0; from < shape.chips(); ++from) {
        for (std::uint32_t to = 0; to < shape.chips(); ++to) {
          const std::vector<Buffer> way = walk(shape, routing, chip(from), chip(to));
          ASSERT_EQ(way.size(), shape.distance(chip(from), chip(to)));
          for (std::size_t i = 1; i < way.size(); ++i) ASSERT_LE(way[i - 1].port / 2, way[i].port / 2);
        }
      }
    }
  }
}

// All chips send to the chip opposite on their axis: each direction of each link carries the same load.
TEST(DimensionOrderRouting, TiesSplitEvenly) {
  for (const auto& sizes : std::vector<std::vector<unsigned>>{{4}, {8}, {4, 4}, {4, 3}, {4, 4, 8}}) {
    const TorusShape shape = shape_of(sizes, true);
    const DimensionOrderRouting routing(shape, 2);
    for (unsigned axis = 0; axis < shape.axes(); ++axis) {
      if (sizes[axis] % 2 != 0) continue;
      std::map<std::pair<std::uint32_t, unsigned>, unsigned> load;
      for (std::uint32_t from = 0; from < shape.chips(); ++from) {
        Coordinates to = shape.coordinates(chip(from));
        to[axis] = (to[axis] + sizes[axis] / 2) % sizes[axis];
        for (const Buffer& hop : walk(shape, routing, chip(from), shape.chip_at(to))) ++load[{hop.chip, hop.port}];
      }
      EXPECT_EQ(load.size(), 2 * shape.chips()) << "all links of the axis, both ways";
      // k sources travel k/2 hops each over 2k links.
      for (const auto& [link, packets] : load) EXPECT_EQ(packets, sizes[axis] / 4);
    }
  }
}

// The rule itself: a packet that comes to the wrap-around link by another link of the axis is on channel 0 before and
// on channel 1 from there on; any other keeps its channel for the whole of the axis.
TEST(DimensionOrderRouting, ChangesChannelOnTheWrapLinkOnly) {
  for (const auto& sizes : kShapes) {
    const TorusShape shape = shape_of(sizes, true);
    const DimensionOrderRouting routing(shape, 2);
    for (std::uint32_t from = 0; from < shape.chips(); ++from) {
      for (std::uint32_t to = 0; to < shape.chips(); ++to) {
        unsigned axis = kMaxAxes, channel = 0;
        for (const Buffer& hop : walk(shape, routing, chip(from), chip(to))) {
          const bool starts = hop.port / 2 != axis;
          axis = hop.port / 2;
          const unsigned here = shape.coordinates(chip(hop.chip))[axis];
          const bool crosses = here == (hop.port % 2 == 0 ? sizes[axis] - 1 : 0);
          if (!starts && crosses) {
            ASSERT_EQ(channel, 0u);
            ASSERT_EQ(hop.channel, 1u);
          } else if (!starts) {
            ASSERT_EQ(hop.channel, channel);
          }
          channel = hop.channel;
        }
      }
    }
  }
}

// Half of an all-to-all's packets on each channel, give or take: buffers are worth what is in them.
TEST(DimensionOrderRouting, UsesBothChannels) {
  for (const bool wrap : {true, false}) {
    for (const unsigned size : {4u, 8u, 16u}) {
      const TorusShape shape = shape_of({size, size}, wrap);
      const DimensionOrderRouting routing(shape, 2);
      std::array<unsigned, 2> packets{};
      for (std::uint32_t from = 0; from < shape.chips(); ++from) {
        for (std::uint32_t to = 0; to < shape.chips(); ++to) {
          for (const Buffer& hop : walk(shape, routing, chip(from), chip(to))) ++packets.at(hop.channel);
        }
      }
      const unsigned all = packets[0] + packets[1];
      EXPECT_NEAR(packets[0], all / 2.0, 0.15 * all) << size << (wrap ? " torus" : " mesh");
    }
  }
}

TEST(DimensionOrderRouting, NoCycleOfBuffersOnAnyTorusOrMesh) {
  for (const bool wrap : {true, false}) {
    for (const auto& sizes : kShapes) {
      const TorusShape shape = shape_of(sizes, wrap);
      EXPECT_FALSE(has_cycle(dependencies(shape, DimensionOrderRouting(shape, 2)))) << sizes.size() << " axes";
      EXPECT_FALSE(has_cycle(dependencies(shape, DimensionOrderRouting(shape, 3)))) << sizes.size() << " axes";
    }
  }
}

TEST(DimensionOrderRouting, WithoutADatelineARingHasACycle) {
  for (const auto& sizes : std::vector<std::vector<unsigned>>{{5}, {8}, {4, 5}, {8, 8}}) {
    const TorusShape shape = shape_of(sizes, true);
    EXPECT_TRUE(has_cycle(dependencies(shape, DimensionOrderRouting(shape, 1))));
  }
}

TEST(DimensionOrderRouting, AMeshNeedsNoDateline) {
  const TorusShape shape = shape_of({4, 5}, false);
  EXPECT_FALSE(has_cycle(dependencies(shape, DimensionOrderRouting(shape, 1))));
}

TEST(DimensionOrderRouting, APacketToItsOwnChipStaysThere) {
  const TorusShape shape = shape_of({4, 4}, true);
  EXPECT_TRUE(walk(shape, DimensionOrderRouting(shape, 2), chip(5), chip(5)).empty());
}

}  // namespace
}  // namespace podsim::ici
