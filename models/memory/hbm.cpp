#include "models/memory/hbm.h"

#include <algorithm>

namespace podsim::memory {

Hbm::Hbm(sc_core::sc_module_name name, const HbmConfig& config)
    : Memory(name, config.capacity, config.read_latency, config.write_latency),
      pricing_(config),
      column_access_(std::max<Bytes>(1, config.access.bytes)) {
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

// Each row takes whole column accesses.
Picoseconds Hbm::price_rows(const Access& access) {
  Picoseconds price = 0;
  access.rows.for_each(access.bytes, [&](Bytes at, Bytes bytes) {
    const Bytes first = (access.offset + at) / column_access_ * column_access_;
    const Bytes end = (access.offset + at + bytes + column_access_ - 1) / column_access_ * column_access_;
    price += pricing_.price(first, end - first, access.write, false);
  });
  return price;
}

// Row by row, each as soon as the memory takes it.
Reservation Hbm::reserve_detailed(const Access& access, Picoseconds earliest) {
  if (!access.rows.strided()) {
    return timeline_->reserve(access.offset, access.bytes, access.write, access.now, earliest, access.pace);
  }
  Reservation whole;
  bool first = true;
  access.rows.for_each(access.bytes, [&](Bytes at, Bytes bytes) {
    const auto part = static_cast<Picoseconds>(static_cast<Wide>(access.pace) * bytes / access.bytes);
    const Reservation row = timeline_->reserve(access.offset + at, bytes, access.write, access.now, earliest, part);
    whole.start = first ? row.start : std::min(whole.start, row.start);
    whole.finish = std::max(whole.finish, row.finish);
    whole.occupancy += row.occupancy;
    first = false;
  });
  return whole;
}

Reservation Hbm::reserve(const Access& access, Picoseconds earliest) {
  if (timeline_) return reserve_detailed(access, earliest);
  const bool idle = data_path_.free_at() < earliest;
  const Picoseconds price =
      access.rows.strided() ? price_rows(access) : pricing_.price(access.offset, access.bytes, access.write, idle);
  if (access.trickles) return data_path_.reserve_trickle(access.now, earliest, price, access.pace);
  return data_path_.reserve_stream(access.now, earliest, price, access.pace);
}

}  // namespace podsim::memory
