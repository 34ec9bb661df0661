#include "models/memory/hbm.h"

namespace podsim::memory {

Hbm::Hbm(sc_core::sc_module_name name, const HbmConfig& config)
    : Memory(name, config.capacity, config.read_latency, config.write_latency), pricing_(config) {}

Hbm::~Hbm() = default;

void Hbm::reset_statistics() {
  Memory::reset_statistics();
  pricing_.reset_statistics();
}

Reservation Hbm::reserve(const Access& access, Picoseconds earliest) {
  const bool idle = data_path_.free_at() < earliest;
  return data_path_.reserve_stream(access.now, earliest,
                                   pricing_.price(access.offset, access.bytes, access.write, idle), access.pace);
}

}  // namespace podsim::memory
