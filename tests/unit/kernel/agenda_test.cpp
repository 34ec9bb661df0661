#include "models/kernel/agenda.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <utility>

namespace podsim::kernel {
namespace {

TEST(Agenda, EqualTimesKeepTheOrderOfInsertionBehindThoseWithARank) {
  Agenda agenda;
  WheelEntry a, b, c, late, early;
  agenda.insert(a, 10, Agenda::kNoRank);
  agenda.insert(late, 20, 0);
  agenda.insert(b, 10, 5);
  agenda.insert(c, 10, Agenda::kNoRank);
  agenda.insert(early, 10, 2);
  EXPECT_EQ(agenda.next(), 10);
  for (WheelEntry* const expected : {&early, &b, &a, &c, &late}) {
    EXPECT_TRUE(expected->queued());
    EXPECT_EQ(&agenda.pop(), expected);
    EXPECT_FALSE(expected->queued());
  }
  EXPECT_TRUE(agenda.empty());
}

TEST(Agenda, EntriesMayOutliveIt) {
  WheelEntry entry;
  {
    Agenda agenda;
    agenda.insert(entry, 1, Agenda::kNoRank);
  }
  EXPECT_FALSE(entry.queued());
}

// 1e5 random operations against a std::multimap, which keeps equal keys in order of insertion.
TEST(Agenda, DoesWhatAMultimapDoes) {
  std::mt19937_64 random(1);
  std::array<WheelEntry, 40> entries;
  std::multimap<std::pair<Picoseconds, std::uint64_t>, WheelEntry*> model;
  Agenda agenda;
  for (int i = 0; i < 100'000; ++i) {
    WheelEntry& entry = entries[random() % entries.size()];
    if (entry.queued() && random() % 2 == 0) {
      agenda.remove(entry);
      model.erase(std::find_if(model.begin(), model.end(), [&](const auto& item) { return item.second == &entry; }));
    } else if (!entry.queued()) {
      const auto when = static_cast<Picoseconds>(random() % 20);
      const std::uint64_t rank = random() % 3 == 0 ? random() % 4 : Agenda::kNoRank;
      agenda.insert(entry, when, rank);
      model.emplace(std::pair{when, rank}, &entry);
    } else {
      ASSERT_EQ(agenda.next(), model.begin()->first.first);
      ASSERT_EQ(&agenda.pop(), model.begin()->second);
      model.erase(model.begin());
    }
    ASSERT_EQ(agenda.empty(), model.empty());
  }
}

}  // namespace
}  // namespace podsim::kernel
