#include "platform/report/torus_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace podsim::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(TorusPicture, DrawsATorusWithItsWraps) {
  EXPECT_EQ(torus_picture(ici::TorusShape({{"x", 3, true}, {"y", 3, true}})),
            "     ^    ^    ^\n"
            "  <- 0 -- 1 -- 2 ->\n"
            "     |    |    |\n"
            "  <- 3 -- 4 -- 5 ->\n"
            "     |    |    |\n"
            "  <- 6 -- 7 -- 8 ->\n"
            "     v    v    v\n"
            "  x to the right, y downwards; <- -> x wraps; ^ v y wraps\n");
}

TEST(TorusPicture, DrawsAMeshWithoutMarks) {
  EXPECT_EQ(torus_picture(ici::TorusShape({{"x", 4, false}, {"y", 2, false}})),
            "     0 -- 1 -- 2 -- 3\n"
            "     |    |    |    |\n"
            "     4 -- 5 -- 6 -- 7\n"
            "  x to the right, y downwards\n");
}

TEST(TorusPicture, MarksOnlyTheAxisThatWraps) {
  const std::string picture = torus_picture(ici::TorusShape({{"x", 3, false}, {"y", 4, true}}));
  EXPECT_THAT(picture, HasSubstr("^ v y wraps"));
  EXPECT_THAT(picture, Not(HasSubstr("<-")));
}

TEST(TorusPicture, DrawsALineAndASingleChip) {
  EXPECT_EQ(torus_picture(ici::TorusShape({{"x", 2, false}})), "     0 -- 1\n  x to the right\n");
  EXPECT_EQ(torus_picture(ici::TorusShape({{"x", 1, false}})), "     0\n  x to the right\n");
}

TEST(TorusPicture, CutsLongAxesShortAndKeepsTheirEnds) {
  const std::string picture = torus_picture(ici::TorusShape({{"x", 32, true}, {"y", 32, true}}));
  EXPECT_THAT(picture, HasSubstr("  <-    0 --    1 --    2 ...   31 ->\n"));
  EXPECT_THAT(picture, HasSubstr("  <-  992 --  993 --  994 ... 1023 ->\n"));
  EXPECT_LT(std::count(picture.begin(), picture.end(), '\n'), 15);
}

TEST(TorusPicture, SaysWhatLiesBehindThePlane) {
  const std::string picture = torus_picture(ici::TorusShape({{"x", 4, true}, {"y", 4, true}, {"z", 8, true}}));
  EXPECT_THAT(picture, HasSubstr("z = 0 of 8, chip numbers rise by 16 a step"));
  EXPECT_THAT(picture, HasSubstr("(z wraps)"));
}

TEST(TorusPicture, FitsATerminal) {
  for (const std::uint32_t size : {1u, 2u, 3u, 9u, 10u, 11u, 28u}) {
    std::istringstream picture(torus_picture(ici::TorusShape({{"x", size, true}, {"y", size, true}, {"z", 12, true}})));
    for (std::string line; std::getline(picture, line);) EXPECT_LE(line.size(), 120u) << line;
  }
}

TEST(TorusPicture, ADeadLinkIsAnX) {
  const ici::TorusShape torus({{"x", 3, true}, {"y", 3, true}});
  ici::DeadLinks dead;
  dead.add(torus, ChipId{0}, ici::plus_port(ici::Axis{0}));
  dead.add(torus, ChipId{5}, ici::plus_port(ici::Axis{0}));
  dead.add(torus, ChipId{1}, ici::plus_port(ici::Axis{1}));
  dead.add(torus, ChipId{8}, ici::plus_port(ici::Axis{1}));
  EXPECT_EQ(torus_picture(torus, dead),
            "     ^    ^    x\n"
            "  <- 0 x  1 -- 2 ->\n"
            "     |    x    |\n"
            "  x  3 -- 4 -- 5 x\n"
            "     |    |    |\n"
            "  <- 6 -- 7 -- 8 ->\n"
            "     v    v    x\n"
            "  x to the right, y downwards; <- -> x wraps; ^ v y wraps; x is a dead link\n");
}

}  // namespace
}  // namespace podsim::report
