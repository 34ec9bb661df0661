#include "models/kernel/agenda.h"

#include <algorithm>

namespace podsim::kernel {

void Agenda::insert(WheelEntry& entry, Picoseconds when, std::uint64_t rank) {
  entry.due = when;
  entry.next = &entry;  // queued
  const Item item{when, rank << 48 | inserted_++, &entry};
  // Most are due soon: they go in near the end.
  std::size_t place = items_.size();
  items_.push_back(item);
  for (; place > 0 && items_[place - 1].before(item); --place) items_[place] = items_[place - 1];
  items_[place] = item;
}

void Agenda::remove(WheelEntry& entry) {
  const auto found =
      std::find_if(items_.rbegin(), items_.rend(), [&](const Item& item) { return item.entry == &entry; });
  items_.erase(std::next(found).base());
  entry.next = nullptr;
}

}  // namespace podsim::kernel
