#include "models/memory/hbm.h"

namespace podsim::memory {

Hbm::Hbm(sc_core::sc_module_name name, const HbmConfig& config)
    : Memory(name, config.capacity, config.read_latency, config.write_latency), pricing_(config) {
  if (config.level == HbmLevel::kDetailed) timeline_.emplace(config);
}

Hbm::~Hbm() = default;

void Hbm::reset_statistics() {
  Memory::reset_statistics();
  pricing_.reset_statistics();
  if (timeline_) counted_before_ = timeline_->statistics();
}

HbmPricing::Statistics Hbm::dram_statistics() const {
  if (!timeline_) return pricing_.statistics();
  const DramStatistics now = timeline_->statistics();
  return {now.row_misses - counted_before_.row_misses, now.turnarounds - counted_before_.turnarounds};
}

Reservation Hbm::reserve(const Access& access, Picoseconds earliest) {
  if (timeline_) {
    return timeline_->reserve(access.offset, access.bytes, access.write, access.now, earliest, access.pace);
  }
  const bool idle = data_path_.free_at() < earliest;
  return data_path_.reserve_stream(access.now, earliest,
                                   pricing_.price(access.offset, access.bytes, access.write, idle), access.pace);
}

}  // namespace podsim::memory
