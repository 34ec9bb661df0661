// Which pieces copies travel in: whole while nothing competes on their links, a quarter of the smallest otherwise.
#include <gtest/gtest.h>

#include "models/ici/traffic_map.h"

namespace podsim::ici {
namespace {

constexpr Bytes kSmallest = 4 * kKiB;
constexpr ChipId chip(std::uint32_t i) { return static_cast<ChipId>(i); }

TEST(TrafficMap, CopiesMeetOnlyWhereTheirLinksDo) {
  const TorusShape line({{"x", 4, false}});
  const DimensionOrderRouting routing(line, 2);
  TrafficMap traffic(line, routing, kSmallest);
  traffic.begin(chip(0), chip(3), kMiB);
  EXPECT_EQ(traffic.piece(chip(0), chip(3), kMiB), kMiB);
  // The other way round, and one copy after another of the same chip: no competition.
  traffic.begin(chip(3), chip(0), kMiB);
  traffic.begin(chip(0), chip(1), kMiB);
  EXPECT_EQ(traffic.piece(chip(0), chip(3), kMiB), kMiB);
  // Chip 1 injects where the first copy passes.
  traffic.begin(chip(1), chip(2), 256 * kKiB);
  EXPECT_EQ(traffic.piece(chip(0), chip(3), kMiB), 64 * kKiB);
  EXPECT_EQ(traffic.piece(chip(1), chip(2), 256 * kKiB), 64 * kKiB);
  traffic.end(chip(1), chip(2), 256 * kKiB);
  EXPECT_EQ(traffic.piece(chip(0), chip(3), kMiB), kMiB);
  // No piece is smaller than the smallest on account of others.
  traffic.begin(chip(1), chip(2), 64);
  EXPECT_EQ(traffic.piece(chip(0), chip(3), kMiB), kSmallest);
}

}  // namespace
}  // namespace podsim::ici
