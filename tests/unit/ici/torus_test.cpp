// Shapes of meshes and tori, against a breadth-first search over the links that the shape itself names.
#include "models/ici/torus.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <stdexcept>

#include "models/kernel/address_map.h"

namespace podsim::ici {
namespace {

ChipId chip(std::uint32_t i) { return static_cast<ChipId>(i); }

std::vector<TorusShape> random_shapes(unsigned count) {
  std::mt19937 random(2024);
  const char* const names[] = {"x", "y", "z", "w"};
  std::vector<TorusShape> shapes;
  while (shapes.size() < count) {
    std::vector<AxisShape> axes(1 + random() % kMaxAxes);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      axes[i] = {names[i], static_cast<std::uint32_t>(1 + random() % 6), random() % 2 == 0};
    }
    shapes.emplace_back(axes);
  }
  return shapes;
}

std::vector<unsigned> hops_by_search(const TorusShape& shape, ChipId from) {
  constexpr unsigned kUnseen = ~0u;
  std::vector<unsigned> hops(shape.chips(), kUnseen);
  std::deque<ChipId> frontier{from};
  hops[index(from)] = 0;
  while (!frontier.empty()) {
    const ChipId here = frontier.front();
    frontier.pop_front();
    for (unsigned port = 0; port < shape.link_ports(); ++port) {
      const auto next = shape.neighbour(here, static_cast<Port>(port));
      if (!next || hops[index(*next)] != kUnseen) continue;
      hops[index(*next)] = hops[index(here)] + 1;
      frontier.push_back(*next);
    }
  }
  return hops;
}

TEST(TorusShape, CoordinatesCountTheFirstAxisFastest) {
  const TorusShape shape({{"x", 4, true}, {"y", 3, false}, {"z", 2, false}});
  EXPECT_EQ(shape.chips(), 24u);
  EXPECT_EQ(shape.coordinates(chip(0)), (Coordinates{0, 0, 0, 0}));
  EXPECT_EQ(shape.coordinates(chip(3)), (Coordinates{3, 0, 0, 0}));
  EXPECT_EQ(shape.coordinates(chip(4)), (Coordinates{0, 1, 0, 0}));
  EXPECT_EQ(shape.coordinates(chip(23)), (Coordinates{3, 2, 1, 0}));
  EXPECT_EQ(shape.place(chip(23)), "(3,2,1)");
}

TEST(TorusShape, CoordinatesRoundTrip) {
  for (const TorusShape& shape : random_shapes(40)) {
    for (std::uint32_t i = 0; i < shape.chips(); ++i) {
      EXPECT_EQ(shape.chip_at(shape.coordinates(chip(i))), chip(i));
    }
  }
}

TEST(TorusShape, EveryLinkHasALinkBack) {
  for (const TorusShape& shape : random_shapes(40)) {
    for (std::uint32_t i = 0; i < shape.chips(); ++i) {
      for (unsigned p = 0; p < shape.link_ports(); ++p) {
        const auto port = static_cast<Port>(p);
        const auto there = shape.neighbour(chip(i), port);
        if (there) {
          EXPECT_EQ(shape.neighbour(*there, opposite(port)), chip(i));
        }
      }
    }
  }
}

TEST(TorusShape, OnlyWrappedAxesHaveALinkAtTheEdge) {
  const TorusShape shape({{"x", 4, true}, {"y", 4, false}});
  EXPECT_EQ(shape.neighbour(chip(3), plus_port(Axis{0})), chip(0));
  EXPECT_EQ(shape.neighbour(chip(0), minus_port(Axis{0})), chip(3));
  EXPECT_EQ(shape.neighbour(chip(12), plus_port(Axis{1})), std::nullopt);
  EXPECT_EQ(shape.neighbour(chip(0), minus_port(Axis{1})), std::nullopt);
}

TEST(TorusShape, AxesOfOneOrTwoChipsNeverWrap) {
  const TorusShape shape({{"x", 1, true}, {"y", 2, true}});
  EXPECT_FALSE(shape.axis(Axis{0}).wrap);
  EXPECT_FALSE(shape.axis(Axis{1}).wrap);
  EXPECT_EQ(shape.neighbour(chip(0), plus_port(Axis{0})), std::nullopt);
  EXPECT_EQ(shape.neighbour(chip(1), plus_port(Axis{1})), std::nullopt);
}

TEST(TorusShape, DistancesAreThoseOfABreadthFirstSearch) {
  for (const TorusShape& shape : random_shapes(25)) {
    for (std::uint32_t from = 0; from < shape.chips(); from += 1 + shape.chips() / 8) {
      const std::vector<unsigned> hops = hops_by_search(shape, chip(from));
      for (std::uint32_t to = 0; to < shape.chips(); ++to) {
        ASSERT_EQ(shape.distance(chip(from), chip(to)), hops[to])
            << shape.place(chip(from)) << " to " << shape.place(chip(to));
      }
    }
  }
}

TEST(TorusShape, FindsAxesByName) {
  const TorusShape shape({{"x", 4, true}, {"y", 4, false}});
  EXPECT_EQ(shape.find_axis("y"), Axis{1});
  EXPECT_EQ(shape.find_axis("z"), std::nullopt);
}

TEST(TorusShape, RefusesWhatIsNoPod) {
  EXPECT_THROW(TorusShape(std::vector<AxisShape>{}), std::invalid_argument);
  EXPECT_THROW(TorusShape({{"x", 0, false}}), std::invalid_argument);
  EXPECT_THROW(TorusShape(std::vector<AxisShape>(kMaxAxes + 1, {"x", 1, false})), std::invalid_argument);
  EXPECT_THROW(TorusShape({{"x", kMaxChips + 1, true}}), std::invalid_argument);
  // A product that wraps around to zero in 64 bits.
  EXPECT_THROW(TorusShape({{"x", 1u << 16, true}, {"y", 1u << 16, true}, {"z", 1u << 16, true}, {"w", 1u << 16, true}}),
               std::invalid_argument);
  EXPECT_NO_THROW(TorusShape({{"x", 256, true}, {"y", 256, true}}));
}

TEST(TorusShape, PortsPairUp) {
  EXPECT_EQ(axis_of(plus_port(Axis{2})), Axis{2});
  EXPECT_EQ(axis_of(minus_port(Axis{2})), Axis{2});
  EXPECT_TRUE(is_plus(plus_port(Axis{1})));
  EXPECT_FALSE(is_plus(minus_port(Axis{1})));
  EXPECT_EQ(opposite(plus_port(Axis{3})), minus_port(Axis{3}));
  EXPECT_EQ(opposite(minus_port(Axis{3})), plus_port(Axis{3}));
}

}  // namespace
}  // namespace podsim::ici
