#include "models/kernel/timing_wheel.h"

#include <algorithm>
#include <bit>

namespace podsim::kernel {

TimingWheel::TimingWheel() {
  for (Slot& slot : slots_) slot.next = slot.previous = &slot;
}

TimingWheel::~TimingWheel() {
  for (Slot& slot : slots_) {
    for (WheelLink* link = slot.next; link != &slot;) {
      WheelLink* const after = link->next;
      link->next = link->previous = nullptr;
      link = after;
    }
  }
}

unsigned TimingWheel::level_of(Picoseconds when) const {
  const auto differing = static_cast<std::uint64_t>(when ^ time_);
  return static_cast<unsigned>(std::bit_width(differing | 1) - 1) / kDigitBits;
}

TimingWheel::Slot& TimingWheel::slot_for(Picoseconds when) {
  const unsigned level = level_of(when);
  const unsigned digit = digit_of(when, level);
  occupied_levels_ |= 1u << level;
  occupied_[level] |= std::uint64_t{1} << digit;
  return slots_[level * kSlots + digit];
}

void TimingWheel::insert(WheelEntry& entry, Picoseconds when) {
  entry.due = when;
  append(slot_for(when), entry);
  ++size_;
}

void TimingWheel::append(Slot& slot, WheelEntry& entry) {
  if (slot.next == &slot) {
    slot.earliest = slot.latest = entry.due;
  } else {
    slot.earliest = std::min(slot.earliest, entry.due);
    slot.latest = std::max(slot.latest, entry.due);
  }
  entry.next = &slot;
  entry.previous = slot.previous;
  slot.previous->next = &entry;
  slot.previous = &entry;
}

void TimingWheel::remove(WheelEntry& entry) {
  entry.previous->next = entry.next;
  entry.next->previous = entry.previous;
  // Only an empty slot points at itself.
  if (entry.next->next == entry.next) mark_empty(static_cast<Slot&>(*entry.next));
  entry.next = entry.previous = nullptr;
  --size_;
}

void TimingWheel::mark_empty(const Slot& slot) {
  const auto place = static_cast<std::size_t>(&slot - slots_.data());
  std::uint64_t& bits = occupied_[place / kSlots];
  bits &= ~(std::uint64_t{1} << place % kSlots);
  if (bits == 0) occupied_levels_ &= ~(1u << place / kSlots);
}

Picoseconds TimingWheel::next() const {
  if (occupied_levels_ == 0) return kNever;
  const auto level = static_cast<std::size_t>(std::countr_zero(occupied_levels_));
  return slots_[level * kSlots + static_cast<std::size_t>(std::countr_zero(occupied_[level]))].earliest;
}

void TimingWheel::advance(Picoseconds time) {
  if (time == time_) return;
  // Below this level all slots are of the past, and so empty; above it the digits stay.
  const unsigned level = level_of(time);
  Slot& slot = slots_[level * kSlots + digit_of(time, level)];
  time_ = time;
  if (slot.next != &slot) spread(slot);
}

void TimingWheel::spread(Slot& slot) {
  WheelLink* link = slot.next;
  WheelLink* const last = slot.previous;
  slot.next = slot.previous = &slot;
  mark_empty(slot);
  if (slot.earliest == slot.latest) {
    // One time: the whole list goes to a slot that is empty, since entries of one time are never apart.
    Slot& target = slot_for(slot.earliest);
    target.earliest = target.latest = slot.earliest;
    target.next = link;
    target.previous = last;
    link->previous = last->next = &target;
    return;
  }
  for (;;) {
    WheelLink* const after = link->next;
    __builtin_prefetch(after->next);
    auto& entry = static_cast<WheelEntry&>(*link);
    append(slot_for(entry.due), entry);
    if (link == last) return;
    link = after;
  }
}

WheelEntry* TimingWheel::pop_due() {
  Slot& slot = slots_[digit_of(time_, 0)];
  if (slot.next == &slot) return nullptr;
  auto& entry = static_cast<WheelEntry&>(*slot.next);
  __builtin_prefetch(entry.next->next);
  remove(entry);
  return &entry;
}

}  // namespace podsim::kernel
