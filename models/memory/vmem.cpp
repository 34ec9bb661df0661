#include "models/memory/vmem.h"

#include <algorithm>
#include <stdexcept>

namespace podsim::memory {

Vmem::Vmem(sc_core::sc_module_name name, const VmemConfig& config)
    : Memory(name, config.capacity, config.latency, config.latency) {
  if (config.ports == 0) throw std::invalid_argument("vmem: ports must be at least 1");
  ports_.assign(config.ports, BandwidthServer(Bandwidth{config.bandwidth.bytes_per_second / config.ports}));
}

Vmem::~Vmem() = default;

Reservation Vmem::reserve(const Access& access, Picoseconds earliest) {
  // The port that is free first; the lowest of equals, so that a run can be repeated.
  const auto port = std::min_element(
      ports_.begin(), ports_.end(), [](const auto& one, const auto& other) { return one.free_at() < other.free_at(); });
  return port->reserve_stream(access.now, earliest, port->time_for(access.bytes), access.pace);
}

}  // namespace podsim::memory
