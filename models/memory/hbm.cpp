#include "models/memory/hbm.h"

#include <algorithm>

namespace podsim::memory {

Hbm::Hbm(sc_core::sc_module_name name, const HbmConfig& config)
    : Memory(name, config.capacity, config.read_latency, config.write_latency),
      pricing_(config),
      column_access_(std::max<Bytes>(1, config.access.bytes)) {}

Hbm::~Hbm() = default;

void Hbm::reset_statistics() {
  Memory::reset_statistics();
  pricing_.reset_statistics();
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

Reservation Hbm::reserve(const Access& access, Picoseconds earliest) {
  const bool idle = data_path_.free_at() < earliest;
  const Picoseconds price = access.rows.strided()
                                ? price_rows(access)
                                : pricing_.price(access.offset, access.bytes, access.write, idle);
  if (access.trickles) return data_path_.reserve_trickle(access.now, earliest, price, access.pace);
  return data_path_.reserve_stream(access.now, earliest, price, access.pace);
}

}  // namespace podsim::memory
