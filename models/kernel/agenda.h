// The timers of one chip, soonest first. A chip has a few dozen at most, so they lie in a sorted array: looking at them
// touches a few consecutive cache lines, and none of the timers. Plain class, no kernel.
//
// At one picosecond, those with a rank come first, lower ones before higher ones; the others follow in the order of
// their insertion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/kernel/timing_wheel.h"
#include "models/kernel/units.h"

namespace podsim::kernel {

class Agenda {
 public:
  static constexpr std::uint64_t kNoRank = 256;  // ranks are lower

  Agenda() = default;
  ~Agenda() {  // entries still queued are let go
    for (const Item& item : items_) item.entry->next = nullptr;
  }
  Agenda(const Agenda&) = delete;
  Agenda& operator=(const Agenda&) = delete;

  [[nodiscard]] bool empty() const { return items_.empty(); }
  // The soonest entry and its time; only if there is one.
  [[nodiscard]] Picoseconds next() const { return items_.back().due; }

  // `entry` is not queued.
  void insert(WheelEntry& entry, Picoseconds when, std::uint64_t rank);
  void remove(WheelEntry& entry);
  WheelEntry& pop() {
    WheelEntry& entry = *items_.back().entry;
    items_.pop_back();
    entry.next = nullptr;
    return entry;
  }
  // Brings what the next pop() but `n` will give into the cache.
  void prefetch(std::size_t n) const {
    if (n >= items_.size()) return;
    const char* const entry = reinterpret_cast<const char*>(items_[items_.size() - 1 - n].entry);
    __builtin_prefetch(entry);
    __builtin_prefetch(entry + kCacheLine);
  }
  void prefetch_items() const {
    if (items_.empty()) return;
    __builtin_prefetch(&items_.back());
    __builtin_prefetch(reinterpret_cast<const char*>(&items_.back()) - kCacheLine);
  }

 private:
  static constexpr std::ptrdiff_t kCacheLine = 64;

  struct Item {
    Picoseconds due;
    std::uint64_t order;  // among those due at the same time
    WheelEntry* entry;
    [[nodiscard]] bool before(const Item& other) const {
      return due != other.due ? due < other.due : order < other.order;
    }
  };

  std::vector<Item> items_;  // the soonest last
  std::uint64_t inserted_ = 0;
};

}  // namespace podsim::kernel
