#include "platform/check/memory_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace podsim::check {
namespace {

using ::testing::ElementsAre;
using ::testing::FieldsAre;

using Seen = std::tuple<Bytes, Bytes, OperationId>;

std::vector<Seen> look(MemoryHistory& memory, Bytes first, Bytes bytes) {
  std::vector<Seen> seen;
  memory.for_each(first, bytes, [&](auto& each) { seen.emplace_back(each.first, each.end, each.writer); });
  return seen;
}
void write(MemoryHistory& memory, Bytes first, Bytes bytes, OperationId writer) {
  memory.for_each(first, bytes, [&](auto& each) { each.writer = writer; });
}

TEST(MemoryHistory, CutsStretchesWhereAccessesBeginAndEnd) {
  MemoryHistory memory;
  write(memory, 100, 100, 1);
  write(memory, 150, 10, 2);
  EXPECT_THAT(look(memory, 90, 120),
              ElementsAre(FieldsAre(90, 100, MemoryHistory::kNobody), FieldsAre(100, 150, 1), FieldsAre(150, 160, 2),
                          FieldsAre(160, 200, 1), FieldsAre(200, 210, MemoryHistory::kNobody)));
}

TEST(MemoryHistory, AnAccessOverSeveralStretchesChangesThemAll) {
  MemoryHistory memory;
  write(memory, 0, 10, 1);
  write(memory, 20, 10, 2);
  write(memory, 5, 20, 3);
  EXPECT_THAT(look(memory, 0, 30), ElementsAre(FieldsAre(0, 5, 1), FieldsAre(5, 10, 3), FieldsAre(10, 20, 3),
                                               FieldsAre(20, 25, 3), FieldsAre(25, 30, 2)));
}

TEST(MemoryHistory, NothingIsNoStretch) {
  MemoryHistory memory;
  EXPECT_THAT(look(memory, 5, 0), ElementsAre());
}

TEST(MemoryHistory, BothHalvesOfACutStretchKeepTheirReaders) {
  MemoryHistory memory;
  memory.for_each(0, 10, [](auto& each) { each.readers.push_back(7); });
  std::vector<std::size_t> readers;
  memory.for_each(4, 2, [&](auto& each) { each.readers.clear(); });
  memory.for_each(0, 10, [&](auto& each) { readers.push_back(each.readers.size()); });
  EXPECT_THAT(readers, ElementsAre(1, 0, 1));
}

}  // namespace
}  // namespace podsim::check
