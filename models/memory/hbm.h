// HBM: a chip's main memory, shared by whatever reads and writes, at one of two levels (HbmConfig::level):
//
//   bulk      all stacks and channels together are one data path; a burst occupies it for as long as HbmPricing says:
//             peak rate, less refresh, turnarounds and row misses.
//   detailed  every column access goes to its bank (dram/hbm_timeline.h): the check on the other, and slow.
#pragma once

#include <optional>

#include "models/memory/dram/hbm_timeline.h"
#include "models/memory/hbm_config.h"
#include "models/memory/hbm_pricing.h"
#include "models/memory/memory.h"

namespace podsim::memory {

class Hbm final : public Memory {
 public:
  // Throws std::invalid_argument when the configuration makes no sense.
  Hbm(sc_core::sc_module_name name, const HbmConfig& config);
  ~Hbm() override;

  void reset_statistics() override;
  [[nodiscard]] HbmPricing::Statistics dram_statistics() const;
  // The rate of an endless stream: peak less refresh.
  [[nodiscard]] Bandwidth stream_bandwidth() const { return pricing_.stream_bandwidth(); }

 private:
  Reservation reserve(const Access& access, Picoseconds earliest) override;
  [[nodiscard]] Picoseconds price_rows(const Access& access);
  Reservation reserve_detailed(const Access& access, Picoseconds earliest);

  HbmPricing pricing_;
  const Bytes column_access_;
  std::optional<HbmTimeline> timeline_;  // of the detailed level
  DramStatistics counted_before_;        // the last reset
  BandwidthServer data_path_;
};

}  // namespace podsim::memory
