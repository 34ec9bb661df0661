// Credits of one output: free bytes in each virtual channel's buffer at the other end of the link.
//
// Credits under way are kept by their time of arrival and counted in when somebody looks, so that a link that never
// runs short of credit spends no event on them. Plain class, no kernel.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/kernel/units.h"

namespace podsim::ici {

inline constexpr unsigned kMostVirtualChannels = 3;

class CreditCounter {
 public:
  // At most kMostVirtualChannels.
  CreditCounter(unsigned channels, Bytes buffer) : channels_(channels), buffer_(buffer) { available_.fill(buffer); }

  // `bytes` of `channel` are free again at time `when`.
  void give(Picoseconds when, std::uint8_t channel, Bytes bytes) {
    // Nearly always in order of time: a later one moves up past the few that are due after it.
    under_way_.push_back({when, bytes << 8 | channel});
    for (std::size_t i = under_way_.size() - 1; i > first_ && under_way_[i - 1].when > when; --i) {
      std::swap(under_way_[i - 1], under_way_[i]);
    }
  }
  // Takes room for `bytes` if it is there at time `now`. A packet larger than the whole buffer is never let through.
  [[nodiscard]] bool take(Picoseconds now, std::uint8_t channel, Bytes bytes) {
    if (available_[channel] < bytes) collect(now);
    if (available_[channel] < bytes) return false;
    available_[channel] -= bytes;
    return true;
  }
  // When the next credit comes in; only if something is under way.
  [[nodiscard]] bool expects_credit() const { return first_ < under_way_.size(); }
  [[nodiscard]] Picoseconds next_credit() const { return under_way_[first_].when; }

  // True when every byte of every buffer is free or on its way back: nothing is in flight or stored.
  [[nodiscard]] bool all_home() const {
    auto free = available_;
    for (std::size_t i = first_; i < under_way_.size(); ++i) free[under_way_[i].channel()] += under_way_[i].bytes();
    return std::all_of(free.begin(), free.begin() + channels_, [&](Bytes bytes) { return bytes == buffer_; });
  }

 private:
  struct Credit {
    Picoseconds when;
    std::uint64_t packed;  // bytes, channel: a credit is a quarter of a cache line
    [[nodiscard]] Bytes bytes() const { return packed >> 8; }
    [[nodiscard]] std::uint8_t channel() const { return static_cast<std::uint8_t>(packed); }
  };
  void collect(Picoseconds now) {
    for (; first_ < under_way_.size() && under_way_[first_].when <= now; ++first_) {
      available_[under_way_[first_].channel()] += under_way_[first_].bytes();
    }
    if (first_ == under_way_.size()) {
      under_way_.clear();
      first_ = 0;
    } else if (first_ >= kMostCollected) {
      under_way_.erase(under_way_.begin(), under_way_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
  }

  static constexpr std::size_t kMostCollected = 32;  // before their places are used again

  std::array<Bytes, kMostVirtualChannels> available_{};
  unsigned channels_;
  Bytes buffer_;
  std::size_t first_ = 0;          // those before it have been collected
  std::vector<Credit> under_way_;  // in order of time
};

}  // namespace podsim::ici
