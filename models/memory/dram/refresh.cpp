#include "models/memory/dram/refresh.h"

namespace podsim::memory {

RefreshPolicy::RefreshPolicy(const DramTiming& timing, const HbmConfig& config)
    : kind_(config.refresh),
      staggered_(config.refresh_staggered),
      interval_(timing.refresh_interval),
      pseudo_channels_(config.pseudo_channels_per_channel),
      banks_(config.pseudo_channels_per_channel * config.banks_per_pseudo_channel) {
  if (kind_ != HbmRefresh::kNone) next_at_ = due(0);
}

RefreshDue RefreshPolicy::next() const {
  if (kind_ == HbmRefresh::kAllBank) return {static_cast<std::uint32_t>(number_ % pseudo_channels_), {}};
  const auto bank = static_cast<std::uint32_t>(number_ % banks_);
  return {bank / (banks_ / pseudo_channels_), bank};
}

void RefreshPolicy::advance() { next_at_ = due(++number_); }

DramTick RefreshPolicy::due(std::uint64_t number) const {
  const auto n = static_cast<DramTick>(number);
  if (kind_ == HbmRefresh::kPerBank) return (n + 1) * interval_ / banks_;
  if (staggered_) return (n + pseudo_channels_) * interval_ / pseudo_channels_;
  return (n / pseudo_channels_ + 1) * interval_;
}

}  // namespace podsim::memory
