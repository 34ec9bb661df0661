// HBM: a chip's main memory. All stacks and channels together are one data path, shared by whatever reads and writes; a
// burst occupies it for as long as HbmPricing says: peak rate, less refresh, turnarounds and row misses.
#pragma once

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
  [[nodiscard]] HbmPricing::Statistics dram_statistics() const { return pricing_.statistics(); }
  // The rate of an endless stream: peak less refresh.
  [[nodiscard]] Bandwidth stream_bandwidth() const { return pricing_.stream_bandwidth(); }

 private:
  Reservation reserve(const Access& access, Picoseconds earliest) override;
  [[nodiscard]] Picoseconds price_rows(const Access& access);

  HbmPricing pricing_;
  const Bytes column_access_;
  BandwidthServer data_path_;
};

}  // namespace podsim::memory
