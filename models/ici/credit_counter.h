// Credits of one output: free bytes in each virtual channel's buffer at the other end of the link.
//
// Credits under way are kept by their time of arrival and counted in when somebody looks, so that a link that never
// runs short of credit spends no event on them. Plain class, no kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/kernel/units.h"

namespace podsim::ici {

class CreditCounter {
 public:
  CreditCounter(unsigned channels, Bytes buffer) : available_(channels, buffer), buffer_(buffer) {}

  // `bytes` of `channel` are free again at time `when`.
  void give(Picoseconds when, std::uint8_t channel, Bytes bytes) {
    under_way_.push_back({when, channel, bytes});
    std::push_heap(under_way_.begin(), under_way_.end(), std::greater<>{});
  }
  // Takes room for `bytes` if it is there at time `now`. A packet larger than the whole buffer is never let through.
  [[nodiscard]] bool take(Picoseconds now, std::uint8_t channel, Bytes bytes) {
    if (available_[channel] < bytes) collect(now);
    if (available_[channel] < bytes) return false;
    available_[channel] -= bytes;
    return true;
  }
  // When the next credit comes in; only if something is under way.
  [[nodiscard]] bool expects_credit() const { return !under_way_.empty(); }
  [[nodiscard]] Picoseconds next_credit() const { return under_way_.front().when; }

  // True when every byte of every buffer is free or on its way back: nothing is in flight or stored.
  [[nodiscard]] bool all_home() const {
    std::vector<Bytes> free = available_;
    for (const Credit& credit : under_way_) free[credit.channel] += credit.bytes;
    return std::all_of(free.begin(), free.end(), [&](Bytes bytes) { return bytes == buffer_; });
  }

 private:
  struct Credit {
    Picoseconds when;
    std::uint8_t channel;
    Bytes bytes;
    bool operator>(const Credit& other) const { return when > other.when; }
  };
  void collect(Picoseconds now) {
    while (!under_way_.empty() && under_way_.front().when <= now) {
      available_[under_way_.front().channel] += under_way_.front().bytes;
      std::pop_heap(under_way_.begin(), under_way_.end(), std::greater<>{});
      under_way_.pop_back();
    }
  }

  std::vector<Bytes> available_;
  Bytes buffer_;
  std::vector<Credit> under_way_;  // min-heap by time
};

}  // namespace podsim::ici
