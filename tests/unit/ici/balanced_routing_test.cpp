// Twisted tori and minimal balanced routing: every way is a shortest one of the network that neighbour() names, all
// links carry the load that the theory gives, and no cycle of buffers comes of it (dependency_graph.h).
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <stdexcept>

#include "models/ici/detour_routing.h"
#include "models/ici/routing.h"
#include "tests/unit/ici/dependency_graph.h"

namespace podsim::ici {
namespace {

TorusShape twisted(const std::vector<unsigned>& sizes) {
  std::vector<AxisShape> axes;
  for (std::size_t i = 0; i < sizes.size(); ++i) axes.push_back({std::string(1, "xyz"[i]), sizes[i], true});
  return twist(axes);
}

std::vector<unsigned> hops_by_search(const TorusShape& shape, ChipId from) {
  std::vector<unsigned> hops(shape.chips(), ~0u);
  std::deque<ChipId> frontier{from};
  hops[index(from)] = 0;
  for (; !frontier.empty(); frontier.pop_front()) {
    for (unsigned port = 0; port < shape.link_ports(); ++port) {
      const auto next = shape.neighbour(frontier.front(), static_cast<Port>(port));
      if (!next || hops[index(*next)] != ~0u) continue;
      hops[index(*next)] = hops[index(frontier.front())] + 1;
      frontier.push_back(*next);
    }
  }
  return hops;
}

const std::vector<std::vector<unsigned>> kTwisted = {{4, 4, 8}, {4, 8, 4}, {8, 4, 4}, {4, 8, 8}, {8, 4, 8}, {5, 5, 10}};

TEST(TwistedTorus, WrapsShiftAsCamaraAndOthersHaveIt) {
  const TorusShape both = twisted({4, 4, 8});
  const auto at = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return both.chip_at({x, y, z, 0}); };
  EXPECT_EQ(both.neighbour(at(3, 1, 2), plus_port(Axis{0})), at(0, 1, 6));
  EXPECT_EQ(both.neighbour(at(0, 1, 6), minus_port(Axis{0})), at(3, 1, 2));
  EXPECT_EQ(both.neighbour(at(1, 3, 7), plus_port(Axis{1})), at(1, 0, 3));
  EXPECT_EQ(both.neighbour(at(1, 2, 7), plus_port(Axis{2})), at(1, 2, 0));
  const TorusShape one = twisted({4, 8, 8});
  EXPECT_EQ(one.neighbour(one.chip_at({3, 1, 6, 0}), plus_port(Axis{0})), one.chip_at({0, 5, 2, 0}));
  EXPECT_EQ(one.neighbour(one.chip_at({3, 7, 6, 0}), plus_port(Axis{1})), one.chip_at({3, 0, 6, 0}));
}

TEST(TwistedTorus, IsRefusedWhereThereIsNone) {
  for (const auto& sizes : std::vector<std::vector<unsigned>>{{4, 4, 4}, {3, 3, 6}, {4, 4, 12}, {4, 8}, {8, 8, 4, 4}}) {
    std::vector<AxisShape> axes;
    for (std::size_t i = 0; i < sizes.size(); ++i) axes.push_back({std::string(1, "xyzw"[i]), sizes[i], true});
    EXPECT_THROW((void)twist(axes), std::invalid_argument) << sizes.size();
  }
  EXPECT_THROW((void)twist({{"x", 4, true}, {"y", 4, false}, {"z", 8, true}}), std::invalid_argument) << "a mesh axis";
}

TEST(TwistedTorus, LinksLeadBack) {
  for (const auto& sizes : kTwisted) {
    const TorusShape shape = twisted(sizes);
    for (std::uint32_t i = 0; i < shape.chips(); ++i) {
      for (unsigned p = 0; p < shape.link_ports(); ++p) {
        const auto port = static_cast<Port>(p);
        EXPECT_EQ(shape.neighbour(shape.neighbour(chip(i), port).value(), opposite(port)), chip(i));
      }
    }
  }
}

TEST(MinimalBalancedRouting, EveryWayIsAShortestOne) {
  std::vector<TorusShape> shapes;
  for (const auto& sizes : kTwisted) shapes.push_back(twisted(sizes));
  for (const bool wrap : {true, false}) {
    for (const auto& sizes :
         std::vector<std::vector<unsigned>>{{2}, {8}, {4, 4}, {3, 5}, {6, 2}, {4, 4, 8}, {2, 3, 5}}) {
      shapes.push_back(shape_of(sizes, wrap));
    }
  }
  for (const TorusShape& shape : shapes) {
    const MinimalBalancedRouting routing(shape, 2);
    for (std::uint32_t from = 0; from < shape.chips(); ++from) {
      const std::vector<unsigned> hops = hops_by_search(shape, chip(from));
      for (std::uint32_t to = 0; to < shape.chips(); ++to) {
        ASSERT_EQ(walk(shape, routing, chip(from), chip(to)).size(), hops[to]);
        ASSERT_EQ(shape.distance(chip(from), chip(to)), hops[to]);
      }
    }
  }
}

// One packet from every chip to every other. The mean load of a link is N x mean distance / links of a chip. On twisted
// tori of these sizes all axes have the same mean (hence the gain over the regular torus: 1.745 and 1.391), so that is
// also what each link should carry, to the next packet or two.
TEST(MinimalBalancedRouting, LoadsAllLinksOfATwistedTorusAlike) {
  for (const auto& [sizes, mean_links] : std::vector<std::pair<std::vector<unsigned>, double>>{
           {{4, 4, 8}, 128 * 1.1458333333333333 / 2}, {{4, 8, 8}, 256 * 1.4375 / 2}}) {
    const TorusShape shape = twisted(sizes);
    const MinimalBalancedRouting routing(shape, 2);
    std::map<std::pair<std::uint32_t, unsigned>, unsigned> load;
    for (std::uint32_t from = 0; from < shape.chips(); ++from) {
      for (std::uint32_t to = 0; to < shape.chips(); ++to) {
        for (const Buffer& hop : walk(shape, routing, chip(from), chip(to))) ++load[{hop.chip, hop.port}];
      }
    }
    ASSERT_EQ(load.size(), 6 * shape.chips());
    for (const auto& [link, packets] : load) EXPECT_NEAR(packets, mean_links, 2);
  }
}

TEST(MinimalBalancedRouting, NoCycleOfBuffers) {
  for (const auto& sizes : kTwisted) {
    const TorusShape shape = twisted(sizes);
    EXPECT_FALSE(has_cycle(dependencies(shape, MinimalBalancedRouting(shape, 2))));
    EXPECT_TRUE(has_cycle(dependencies(shape, MinimalBalancedRouting(shape, 1)))) << "the method is able to find one";
  }
  for (const auto& sizes : std::vector<std::vector<unsigned>>{{8}, {4, 4}, {6, 3}, {4, 4, 4}}) {
    const TorusShape shape = shape_of(sizes, true);
    EXPECT_FALSE(has_cycle(dependencies(shape, MinimalBalancedRouting(shape, 2))));
  }
}

TEST(MinimalBalancedRouting, NoCycleOfBuffersWithDetours) {
  const TorusShape shape = twisted({4, 4, 8});
  DeadLinks dead;
  dead.add(shape, chip(3), plus_port(Axis{0}));
  dead.add(shape, chip(0), plus_port(Axis{1}));
  dead.add(shape, chip(77), plus_port(Axis{2}));
  const DetourRouting routing(shape, dead, std::make_unique<MinimalBalancedRouting>(shape, 2), 2);
  for (std::uint32_t from = 0; from < shape.chips(); ++from) {
    for (std::uint32_t to = 0; to < shape.chips(); ++to) {
      for (const Buffer& link : walk(shape, routing, chip(from), chip(to))) {
        ASSERT_FALSE(dead.contains(chip(link.chip), static_cast<Port>(link.port)));
      }
    }
  }
  EXPECT_FALSE(has_cycle(dependencies(shape, routing)));
}

}  // namespace
}  // namespace podsim::ici
