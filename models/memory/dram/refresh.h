// When which banks of a channel are due for a refresh. All banks of a pseudo-channel together, every tREFI, or one bank
// after the other, tREFI / banks apart.
#pragma once

#include <cstdint>
#include <optional>

#include "models/memory/dram/dram_timing.h"

namespace podsim::memory {

struct RefreshDue {
  std::uint32_t pseudo_channel = 0;
  std::optional<std::uint32_t> bank;  // of the channel; none: all of the pseudo-channel
};

class RefreshPolicy {
 public:
  RefreshPolicy(const DramTiming& timing, const HbmConfig& config);

  // The tick from which the next refresh is due, and what it is of.
  [[nodiscard]] DramTick next_at() const { return next_at_; }
  [[nodiscard]] RefreshDue next() const;
  // The next refresh has been given out.
  void advance();

 private:
  [[nodiscard]] DramTick due(std::uint64_t number) const;

  HbmRefresh kind_;
  bool staggered_;
  DramTick interval_;
  std::uint32_t pseudo_channels_;
  std::uint32_t banks_;
  std::uint64_t number_ = 0;
  DramTick next_at_ = kNever;
};

}  // namespace podsim::memory
