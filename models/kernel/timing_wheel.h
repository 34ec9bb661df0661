// A priority queue of timers for one event queue: a hierarchical timing wheel (Varghese and Lauck, SOSP 1987), exact to
// the picosecond. No SystemC.
//
// A time is read as a number in base 64. An entry lies at the level of the highest digit in which its time differs from
// the wheel's, in the slot of that digit; the wheel's time only moves forward. So
//
//   - entries of a lower level are earlier than those of a higher one, and one level's slots are in order of time;
//   - entries due at the same time always share a slot, where they keep the order of their insertion;
//   - when the wheel's time enters a slot's range, that slot alone has to be spread over the levels below.
//
// Inserting and removing are O(1) without allocation; an entry is moved at most once per level on its way down. A slot
// whose entries all share one time moves in one step, however many they are: chips of a pod run in lockstep.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "models/kernel/units.h"

namespace podsim::kernel {

// Doubly linked and circular through the slot, so that an entry leaves without knowing where it is.
struct WheelLink {
  WheelLink* next = nullptr;
  WheelLink* previous = nullptr;
};

// An entry must be taken out before it is destroyed.
struct WheelEntry : WheelLink {
  Picoseconds due = 0;
  [[nodiscard]] bool queued() const { return next != nullptr; }
};

class TimingWheel {
 public:
  static constexpr Picoseconds kNever = std::numeric_limits<Picoseconds>::max();

  TimingWheel();
  ~TimingWheel();  // entries still queued are let go
  TimingWheel(const TimingWheel&) = delete;
  TimingWheel& operator=(const TimingWheel&) = delete;

  [[nodiscard]] Picoseconds time() const { return time_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  // `when` is not before time(), and `entry` not queued.
  void insert(WheelEntry& entry, Picoseconds when);
  void remove(WheelEntry& entry);

  // No entry is due before this time; kNever when there are none. Exact, unless the earliest entry has been removed.
  [[nodiscard]] Picoseconds next() const;

  // Moves the time forward; not past an entry's.
  void advance(Picoseconds time);
  // Takes out the oldest entry due at time(). Null when there is none.
  WheelEntry* pop_due();

 private:
  static constexpr unsigned kDigitBits = 6;
  static constexpr unsigned kSlots = 1u << kDigitBits;
  static constexpr unsigned kLevels = 11;  // 66 bits

  struct Slot : WheelLink {
    Picoseconds earliest = 0;  // bounds on the times of the entries; all the same when equal
    Picoseconds latest = 0;
  };

  [[nodiscard]] unsigned level_of(Picoseconds when) const;
  static unsigned digit_of(Picoseconds when, unsigned level) {
    return static_cast<unsigned>(when >> (level * kDigitBits)) & (kSlots - 1);
  }
  Slot& slot_for(Picoseconds when);
  void append(Slot& slot, WheelEntry& entry);
  void mark_empty(const Slot& slot);
  void spread(Slot& slot);

  Picoseconds time_ = 0;
  std::size_t size_ = 0;
  std::uint32_t occupied_levels_ = 0;              // a bit per level
  std::array<std::uint64_t, kLevels> occupied_{};  // a bit per slot
  std::array<Slot, kLevels * kSlots> slots_;       // level by level
};

}  // namespace podsim::kernel
