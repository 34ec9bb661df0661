// Routing with dead links: every packet arrives, none is sent over a dead link, intact ways stay as they were, and no
// set of dead links brings a deadlock (dependency_graph.h).
#include "models/ici/detour_routing.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/ici/dependency_graph.h"

namespace podsim::ici {
namespace {

// `count` random links of the torus that leave it connected.
DeadLinks random_dead_links(const TorusShape& shape, unsigned count, std::mt19937& random) {
  DeadLinks dead;
  for (unsigned tries = 0; dead.ends().size() < 2 * count && tries < 100 * count; ++tries) {
    const ChipId from = chip(static_cast<std::uint32_t>(random() % shape.chips()));
    const auto port = static_cast<Port>(random() % shape.link_ports());
    if (!shape.neighbour(from, port)) continue;
    DeadLinks more = dead;
    more.add(shape, from, port);
    if (cut_off_chips(shape, more).empty()) dead = more;
  }
  return dead;
}

unsigned channels(bool wrap) { return wrap ? 2 : 1; }

std::unique_ptr<const Routing> dimension_order(const TorusShape& shape, bool wrap) {
  return std::make_unique<DimensionOrderRouting>(shape, channels(wrap));
}

bool uses(const std::vector<Buffer>& way, const DeadLinks& dead) {
  for (const Buffer& link : way) {
    if (dead.contains(chip(link.chip), static_cast<Port>(link.port))) return true;
  }
  return false;
}

void check_all_ways(const TorusShape& shape, bool wrap, const DeadLinks& dead) {
  const auto usual = dimension_order(shape, wrap);
  const DetourRouting routing(shape, dead, dimension_order(shape, wrap), static_cast<std::uint8_t>(channels(wrap)));
  for (std::uint32_t from = 0; from < shape.chips(); ++from) {
    for (std::uint32_t to = 0; to < shape.chips(); ++to) {
      const std::vector<Buffer> intact = walk(shape, *usual, chip(from), chip(to));
      const std::vector<Buffer> way = walk(shape, routing, chip(from), chip(to));
      ASSERT_FALSE(uses(way, dead));
      if (!uses(intact, dead)) {
        ASSERT_EQ(way, intact);
      } else {
        for (const Buffer& link : way) ASSERT_EQ(link.channel, channels(wrap)) << "on the channel of detours";
      }
    }
  }
  EXPECT_FALSE(has_cycle(dependencies(shape, routing)));
}

TEST(DetourRouting, NoCycleOfBuffersWhateverIsDead) {
  std::mt19937 random(1);
  for (const bool wrap : {true, false}) {
    for (const auto& sizes : std::vector<std::vector<unsigned>>{
             {5}, {8}, {4, 4}, {3, 5}, {6, 2}, {8, 4}, {4, 4, 4}, {2, 3, 5}, {3, 4, 2, 3}}) {
      const TorusShape shape = shape_of(sizes, wrap);
      for (const unsigned count : {1u, 2u, 5u, 12u, 1000u}) {  // the last: all that leave a tree
        const DeadLinks dead = random_dead_links(shape, count, random);
        if (dead.empty()) continue;  // no link of a line can be spared
        SCOPED_TRACE(::testing::Message() << sizes.size() << " axes of " << sizes[0] << ", wrap " << wrap << ", "
                                          << dead.ends().size() / 2 << " dead");
        ASSERT_NO_FATAL_FAILURE(check_all_ways(shape, wrap, dead));
      }
    }
  }
}

// Around a square of the grid: three links. Every chip's links to its other neighbours are left alone.
TEST(DetourRouting, NeighboursAcrossADeadLinkAreThreeLinksApart) {
  for (const bool wrap : {true, false}) {
    for (const auto& sizes : std::vector<std::vector<unsigned>>{{4, 4}, {4, 4, 4}, {5, 3}}) {
      const TorusShape shape = shape_of(sizes, wrap);
      for (std::uint32_t from = 0; from < shape.chips(); ++from) {
        for (unsigned p = 0; p < shape.link_ports(); ++p) {
          const auto to = shape.neighbour(chip(from), static_cast<Port>(p));
          if (!to) continue;
          DeadLinks dead;
          dead.add(shape, chip(from), static_cast<Port>(p));
          const DetourRouting routing(shape, dead, dimension_order(shape, wrap),
                                      static_cast<std::uint8_t>(channels(wrap)));
          // Round a ring of three there is a shorter way, over the third.
          const std::size_t links = wrap && sizes[p / 2] == 3 ? 2 : 3;
          EXPECT_EQ(walk(shape, routing, chip(from), *to).size(), links);
          EXPECT_EQ(walk(shape, routing, *to, chip(from)).size(), links);
        }
      }
    }
  }
}

TEST(DetourRouting, ADeadLinkTurnsARingIntoALine) {
  const TorusShape shape = shape_of({8}, true);
  DeadLinks dead;
  dead.add(shape, chip(2), plus_port(Axis{0}));
  const DetourRouting routing(shape, dead, dimension_order(shape, true), 2);
  // 3, 4, ... 7, 0, 1, 2 from one end to the other.
  for (std::uint32_t from = 0; from < 8; ++from) {
    for (std::uint32_t to = 0; to < 8; ++to) {
      const std::size_t along = walk(shape, routing, chip(from), chip(to)).size();
      const auto place = [](std::uint32_t i) { return static_cast<int>((i + 5) % 8); };
      EXPECT_EQ(along, static_cast<std::size_t>(std::abs(place(from) - place(to))));
    }
  }
}

TEST(DeadLinks, AreDeadBothWaysAndCountOnce) {
  const TorusShape shape = shape_of({4, 4}, true);
  DeadLinks dead;
  EXPECT_TRUE(dead.empty());
  dead.add(shape, chip(3), plus_port(Axis{0}));
  dead.add(shape, chip(0), minus_port(Axis{0}));  // the same, over the wrap
  EXPECT_EQ(dead.ends().size(), 2u);
  EXPECT_TRUE(dead.contains(chip(3), plus_port(Axis{0})));
  EXPECT_TRUE(dead.contains(chip(0), minus_port(Axis{0})));
  EXPECT_FALSE(dead.contains(chip(0), plus_port(Axis{0})));
  EXPECT_EQ(live_neighbour(shape, dead, chip(3), plus_port(Axis{0})), std::nullopt);
  EXPECT_EQ(live_neighbour(shape, dead, chip(3), minus_port(Axis{0})), chip(2));
}

TEST(DeadLinks, TheSmallerPartIsCutOff) {
  const TorusShape line = shape_of({6}, false);
  DeadLinks dead;
  EXPECT_TRUE(cut_off_chips(line, dead).empty());
  dead.add(line, chip(3), plus_port(Axis{0}));
  EXPECT_EQ(cut_off_chips(line, dead), (std::vector<ChipId>{chip(4), chip(5)}));
  dead.add(line, chip(0), plus_port(Axis{0}));
  EXPECT_EQ(cut_off_chips(line, dead), (std::vector<ChipId>{chip(0), chip(4), chip(5)}));
  const TorusShape ring = shape_of({6}, true);
  DeadLinks one;
  one.add(ring, chip(3), plus_port(Axis{0}));
  EXPECT_TRUE(cut_off_chips(ring, one).empty());
}

}  // namespace
}  // namespace podsim::ici
