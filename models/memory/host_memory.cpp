#include "models/memory/host_memory.h"

namespace podsim::memory {

HostMemory::HostMemory(sc_core::sc_module_name name, const HostMemoryConfig& config)
    : Memory(name, config.capacity, config.read_latency, config.write_latency), bus_(config.bandwidth) {}

HostMemory::~HostMemory() = default;

Reservation HostMemory::reserve(const Access& access, Picoseconds earliest) {
  return bus_.reserve_stream(access.now, earliest, bus_.time_for(access.bytes), access.pace);
}

}  // namespace podsim::memory
