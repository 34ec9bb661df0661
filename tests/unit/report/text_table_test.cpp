#include "platform/report/text_table.h"

#include <gtest/gtest.h>

namespace podsim::report {
namespace {

TEST(TextTable, AlignsCellsUnderTitles) {
  const TextTable table({{"n", 3}, {"what", 6, true}, {"t", 4}});
  EXPECT_EQ(table.header(), "    n  what       t\n");
  EXPECT_EQ(table.row({"12", "copy", "7.5"}), "   12  copy     7.5\n");
}

TEST(TextTable, LetsALongCellPushTheRestAndLeavesNoTrailingSpace) {
  const TextTable table({{"a", 2}, {"b", 2}, {"c", 5, true}}, "");
  EXPECT_EQ(table.row({"12345", "1", ""}), "12345   1\n");
}

}  // namespace
}  // namespace podsim::report
