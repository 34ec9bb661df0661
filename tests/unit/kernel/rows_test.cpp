// Rows against a walk over every byte.
#include <gtest/gtest.h>

#include <vector>

#include "models/kernel/random.h"
#include "models/kernel/rows.h"

namespace podsim::kernel {
namespace {

TEST(Rows, InOnePieceIsAsItComes) {
  const Rows rows;
  EXPECT_EQ(rows.distance(77), 77u);
  EXPECT_FALSE(rows.from(3).strided());
  EXPECT_EQ(rows.pieces(1000), 1u);
}

TEST(Rows, AnyPartOfATileVisitsItsBytesInOrder) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    const Rows tile{1 + random.below(9), 1 + random.below(20), 0};
    const Bytes begin = random.below(50);
    const Bytes bytes = 1 + random.below(60);
    std::vector<Bytes> expected;
    for (Bytes i = begin; i < begin + bytes; ++i) expected.push_back(i / tile.row * tile.pitch + i % tile.row);

    const Rows part = tile.from(begin);
    std::vector<Bytes> visited;
    Bytes pieces = 0, by_length = 0;
    part.for_each(bytes, [&](Bytes at, Bytes piece) {
      ++pieces;
      by_length += piece * piece;
      for (Bytes i = 0; i < piece; ++i) visited.push_back(tile.distance(begin) + at + i);
    });
    ASSERT_EQ(visited, expected);
    EXPECT_EQ(part.pieces(bytes), pieces);
    EXPECT_EQ(part.sum(bytes, [](Bytes piece) { return piece * piece; }), by_length);
    for (Bytes i = 0; i < bytes; ++i) ASSERT_EQ(tile.distance(begin) + part.distance(i), expected[i]);
  }
}

}  // namespace
}  // namespace podsim::kernel
