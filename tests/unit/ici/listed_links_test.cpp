// Pods of listed links: their shape, and routes that can't deadlock whatever the graph (dependency_graph.h).
#include <gtest/gtest.h>

#include <map>

#include "models/ici/listed_routing.h"
#include "tests/support/graphs.h"
#include "tests/unit/ici/dependency_graph.h"

namespace podsim::ici {
namespace {

TorusShape shape_of(const testing::ListedNetwork& network) {
  return TorusShape(LinkGraph(network.chips, network.links));
}

TEST(LinkGraph, LinksLeadThereAndBack) {
  for (const auto& network : testing::listed_networks()) {
    const TorusShape shape = shape_of(network);
    std::size_t ends = 0;
    for (std::uint32_t i = 0; i < shape.chips(); ++i) {
      for (unsigned p = 0; p < shape.link_ports(); ++p) {
        const auto next = shape.neighbour(chip(i), static_cast<Port>(p));
        if (!next) continue;
        ++ends;
        EXPECT_EQ(shape.neighbour(*next, shape.far_port(chip(i), static_cast<Port>(p))), chip(i));
        EXPECT_EQ(shape.distance(chip(i), *next), 1u);
      }
    }
    EXPECT_EQ(ends, 2 * network.links.size());
  }
}

// Petersen's graph: three links a chip, and every other chip at most two away. A star: the hub is its centre.
TEST(LinkGraph, KnowsWhatIsKnownOfSuchGraphs) {
  const TorusShape petersen = shape_of(testing::petersen());
  EXPECT_EQ(petersen.link_ports(), 3u);
  for (std::uint32_t i = 0; i < 10; ++i) {
    unsigned sum = 0;
    for (std::uint32_t j = 0; j < 10; ++j) sum += petersen.distance(chip(i), chip(j));
    EXPECT_EQ(sum, 3u * 1 + 6u * 2);
  }
  EXPECT_EQ(shape_of(testing::star()).listed_links()->centre(), 0u);
}

TEST(LinkGraph, RefusesListsThatAreNoNetwork) {
  const auto entry = [](std::uint32_t chips, const std::vector<ListedLink>& links) {
    try {
      LinkGraph graph(chips, links);
    } catch (const ListedLinkError& error) {
      return static_cast<int>(error.entry());
    } catch (const std::invalid_argument&) {
      return -1;
    }
    return -2;
  };
  EXPECT_EQ(entry(3, {{0, 1}, {1, 2}}), -2) << "a good one";
  EXPECT_EQ(entry(3, {{0, 1}, {2, 2}}), 1) << "a link from a chip to itself";
  EXPECT_EQ(entry(3, {{0, 1}, {1, 2}, {1, 0}}), 2) << "a link that is there twice";
  EXPECT_EQ(entry(3, {{0, 3}}), 0) << "no such chip";
  EXPECT_EQ(entry(4, {{0, 1}, {2, 3}}), -1) << "in two parts";
  EXPECT_EQ(entry(0, {}), -1);
  EXPECT_EQ(entry(LinkGraph::kMostChips + 1, {}), -1);
  std::vector<ListedLink> hub;
  for (std::uint32_t i = 1; i <= LinkGraph::kMostPorts + 1; ++i) hub.push_back({0, i});
  EXPECT_EQ(entry(20, hub), static_cast<int>(LinkGraph::kMostPorts)) << "more links than a chip has ports";
}

TEST(ListedRouting, ReachesEveryoneWithoutACycleOfBuffers) {
  for (const auto& network : testing::listed_networks()) {
    const TorusShape shape = shape_of(network);
    for (const unsigned channels : {1u, 2u, 3u}) {
      const ListedRouting routing(shape, {}, channels);
      EXPECT_FALSE(has_cycle(dependencies(shape, routing))) << network.name;  // walk() checks the arrival
    }
  }
}

TEST(ListedRouting, TakesShortestWaysWhereUpAndDownAllowsThem) {
  const TorusShape full = shape_of(testing::fully_connected());
  const TorusShape star = shape_of(testing::star());
  for (const TorusShape* shape : {&full, &star}) {
    const ListedRouting routing(*shape, {}, 2);
    for (std::uint32_t from = 0; from < shape->chips(); ++from) {
      for (std::uint32_t to = 0; to < shape->chips(); ++to) {
        EXPECT_EQ(walk(*shape, routing, chip(from), chip(to)).size(), shape->distance(chip(from), chip(to)));
      }
    }
  }
}

TEST(ListedRouting, KeepsOffDeadLinks) {
  const TorusShape shape = shape_of(testing::petersen());
  DeadLinks dead;
  dead.add(shape, chip(0), static_cast<Port>(0));
  dead.add(shape, chip(7), static_cast<Port>(1));
  const ListedRouting routing(shape, dead, 2);
  for (std::uint32_t from = 0; from < shape.chips(); ++from) {
    for (std::uint32_t to = 0; to < shape.chips(); ++to) {
      for (const Buffer& hop : walk(shape, routing, chip(from), chip(to))) {
        ASSERT_FALSE(dead.contains(chip(hop.chip), static_cast<Port>(hop.port)));
      }
    }
  }
  EXPECT_FALSE(has_cycle(dependencies(shape, routing)));
}

}  // namespace
}  // namespace podsim::ici
