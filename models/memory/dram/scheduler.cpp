#include "models/memory/dram/scheduler.h"

#include <algorithm>

namespace podsim::memory {

FrFcfsScheduler::Choice FrFcfsScheduler::choose(const AccessQueue& queue, const BankState& banks,
                                                const std::vector<std::uint8_t>& reserved,
                                                const std::vector<std::uint8_t>& blocked, bool only_opened_for,
                                                DramTick now) {
  Choice choice;
  ++scan_;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const DramAccess& access = queue[i];
    const BankPlace& place = access.place;
    if (!access.activated && (only_opened_for || blocked[place.pseudo_channel] != 0)) continue;
    const std::uint64_t open = banks.open_row(place.bank);
    if (open == access.row) {
      hit_[place.bank] = scan_;
      if (choice.column != kNone) continue;
      const DramTick at = banks.column_at(place, access.write);
      if (at <= now) {
        choice.column = i;
        if (choice.row != kNone) break;
      } else {
        choice.next = std::min(choice.next, at);
      }
      continue;
    }
    if (choice.row != kNone) continue;
    DramTick at = 0;
    if (open == BankState::kClosed) {
      at = banks.activate_at(place);
    } else {
      // In the order of arrival, a hit found so far is older than this access.
      if (reserved[place.bank] != 0 || (keeps_hits_ && hit_[place.bank] == scan_)) continue;
      at = banks.precharge_at(place.bank);
    }
    if (at <= now) {
      choice.row = i;
      if (choice.column != kNone) break;
    } else {
      choice.next = std::min(choice.next, at);
    }
  }
  return choice;
}

}  // namespace podsim::memory
