// What share of the peak a channel sustains under a pattern, refresh left aside: the figures from which bulk bursts are
// priced (hbm_pricing.h). They follow from timings, mapping and queues in no simple formula once a queue holds few
// rows, so each is found by running one channel of the per-bank model for a thousand accesses or two, when first asked
// for: some milliseconds, once for a configuration however many chips have it.
//
// Refresh comes on top as a formula. All banks: a channel stands still for tRFC + tRC in every tREFI. Bank by bank: for
// a precharge (tRP) each time.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "models/memory/dram/address_map.h"
#include "models/memory/dram/dram_timing.h"
#include "models/memory/hbm_config.h"
#include "models/memory/hbm_patterns.h"

namespace podsim::memory {

class HbmRates {
 public:
  // Throws std::invalid_argument, naming the key, when the organisation or the timings make no sense.
  explicit HbmRates(const HbmConfig& config);

  // The same rates for all that ask with the same configuration while one of them holds them. They are a function of
  // the configuration alone.
  [[nodiscard]] static std::shared_ptr<HbmRates> shared(const HbmConfig& config);

  // Time that a byte takes, as a multiple of its time at the peak, in units of 1 / 65536. Chunks are powers of two.
  [[nodiscard]] std::uint64_t cost_q16(HbmPattern pattern, unsigned log2_chunk);

  [[nodiscard]] const HbmConfig& config() const { return config_; }
  [[nodiscard]] const AddressMap& map() const { return map_; }
  [[nodiscard]] unsigned smallest_chunk() const { return smallest_; }  // log2
  [[nodiscard]] unsigned largest_chunk() const { return largest_; }    // log2: larger ones are streams

  // Peak less refresh.
  [[nodiscard]] Bandwidth bandwidth() const { return less_refresh_; }

 private:
  [[nodiscard]] double sustained(HbmPattern pattern, Bytes chunk, bool over_refreshes) const;

  static constexpr std::size_t kSizes = 40;
  static constexpr std::size_t kPatterns = 7;

  const HbmConfig config_;
  AddressMap map_;
  DramTiming timing_;
  Bandwidth less_refresh_;
  unsigned smallest_ = 0;
  unsigned largest_ = 0;
  std::array<std::array<std::uint64_t, kSizes>, kPatterns> costs_{};  // 0: not known yet
};

}  // namespace podsim::memory
