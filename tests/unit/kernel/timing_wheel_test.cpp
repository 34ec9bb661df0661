#include "models/kernel/timing_wheel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <vector>

namespace podsim::kernel {
namespace {

// Takes everything out, in order; each entry's time is checked on the way.
std::vector<WheelEntry*> drain(TimingWheel& wheel) {
  std::vector<WheelEntry*> order;
  while (wheel.size() > 0) {
    wheel.advance(wheel.next());
    while (WheelEntry* entry = wheel.pop_due()) {
      EXPECT_EQ(entry->due, wheel.time());
      order.push_back(entry);
    }
  }
  EXPECT_EQ(wheel.next(), TimingWheel::kNever);
  return order;
}

TEST(TimingWheel, GivesEntriesInOrderOfTimeAcrossAllLevels) {
  std::deque<WheelEntry> entries(126);
  TimingWheel wheel;
  // Every power of two up to the end of time, and its neighbour below, which sits in another slot or level.
  for (std::size_t bit = 0; bit < 63; ++bit) {
    wheel.insert(entries[2 * bit], Picoseconds{1} << bit);
    wheel.insert(entries[2 * bit + 1], (Picoseconds{1} << bit) - 1);
  }
  const auto order = drain(wheel);
  ASSERT_EQ(order.size(), 126u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end(), [](auto* a, auto* b) { return a->due < b->due; }));
}

TEST(TimingWheel, EqualTimesKeepTheOrderOfInsertionHoweverTheyGotThere) {
  constexpr Picoseconds kTime = 1'000'000;
  std::deque<WheelEntry> entries;
  std::deque<WheelEntry> stops;
  TimingWheel wheel;
  std::vector<WheelEntry*> expected;
  // The same time, inserted from further and further on: each insertion sees it at another level, with company whose
  // times differ a little and without.
  for (const Picoseconds from : {0, 500'000, 900'000, 999'000, 999'900, 999'990, 999'999}) {
    wheel.insert(stops.emplace_back(), from);
    while (wheel.time() < from) {
      wheel.advance(wheel.next());
      while (wheel.pop_due() != nullptr) {
      }
    }
    for (int i = 0; i < 3; ++i) {
      wheel.insert(entries.emplace_back(), kTime);
      expected.push_back(&entries.back());
      if (from == 900'000) wheel.insert(stops.emplace_back(), kTime + 1 + i);
    }
  }
  std::vector<WheelEntry*> got;
  wheel.advance(wheel.next());
  ASSERT_EQ(wheel.time(), kTime);
  while (WheelEntry* entry = wheel.pop_due()) got.push_back(entry);
  for (auto& stop : stops) std::erase(got, &stop);
  EXPECT_EQ(got, expected);
}

TEST(TimingWheel, RemovingTheLastEntryLeavesNothing) {
  WheelEntry near;
  WheelEntry far;
  TimingWheel wheel;
  wheel.insert(near, 5);
  wheel.insert(far, 1'000'000);
  wheel.remove(far);
  EXPECT_FALSE(far.queued());
  EXPECT_EQ(wheel.next(), 5);
  wheel.remove(near);
  EXPECT_EQ(wheel.next(), TimingWheel::kNever);
  EXPECT_EQ(wheel.size(), 0u);
}

TEST(TimingWheel, ADestroyedWheelLetsItsEntriesGo) {
  WheelEntry entry;
  {
    TimingWheel wheel;
    wheel.insert(entry, 77);
  }
  EXPECT_FALSE(entry.queued());
}

// Against std::multimap, which keeps equal keys in order of insertion: 1e5 random insertions, removals and steps in
// time, with delays from nothing to a quarter of an hour.
TEST(TimingWheel, DoesWhatAMultimapDoes) {
  std::mt19937_64 random(20);
  std::deque<WheelEntry> entries(500);
  TimingWheel wheel;
  std::multimap<Picoseconds, WheelEntry*> model;

  const auto remove = [&](WheelEntry& entry) {
    if (!entry.queued()) return;
    const auto [from, to] = model.equal_range(entry.due);
    model.erase(std::find_if(from, to, [&](const auto& item) { return item.second == &entry; }));
    wheel.remove(entry);
  };
  const auto insert = [&](WheelEntry& entry) {
    // Few distinct times half of the time, so that many entries share one; else all magnitudes of delay alike.
    const std::uint64_t range = std::uint64_t{1} << random() % 50;
    const std::uint64_t delay = random() % 2 == 0 ? random() % 4 * 1000 : random() % range;
    const Picoseconds when = wheel.time() + static_cast<Picoseconds>(delay);
    wheel.insert(entry, when);
    model.emplace(when, &entry);
  };
  const auto step = [&] {
    ASSERT_LE(wheel.next(), model.begin()->first);
    ASSERT_GE(wheel.next(), wheel.time());
    wheel.advance(wheel.next());
    while (WheelEntry* due = wheel.pop_due()) {
      ASSERT_FALSE(model.empty());
      ASSERT_EQ(due, model.begin()->second);
      ASSERT_EQ(due->due, wheel.time());
      model.erase(model.begin());
    }
    ASSERT_TRUE(model.empty() || model.begin()->first > wheel.time());
  };
  for (int operation = 0; operation < 100'000; ++operation) {
    WheelEntry& entry = entries[random() % entries.size()];
    const auto kind = random() % 8;
    if (kind < 7) remove(entry);
    if (kind < 5) insert(entry);
    if (kind == 7 && !model.empty()) step();
    // Now and then run dry, which takes the wheel over large distances.
    while (operation % 1000 == 999 && !model.empty()) step();
    ASSERT_FALSE(HasFatalFailure());
    ASSERT_EQ(wheel.size(), model.size());
    ASSERT_EQ(wheel.next() == TimingWheel::kNever, model.empty());
  }
  EXPECT_GT(wheel.time(), 1000 * kPicosecondsPerSecond);
}

}  // namespace
}  // namespace podsim::kernel
