#include "models/memory/host_memory.h"

namespace podsim::memory {

namespace {
constexpr Bytes kCacheLine = 64;
}  // namespace

HostMemory::HostMemory(sc_core::sc_module_name name, const HostMemoryConfig& config)
    : Memory(name, config.capacity, config.read_latency, config.write_latency), bus_(config.bandwidth) {}

HostMemory::~HostMemory() = default;

Reservation HostMemory::reserve(const Access& access, Picoseconds earliest) {
  Bytes moved = access.bytes;
  if (access.rows.strided()) {  // each row takes whole cache lines
    moved = 0;
    access.rows.for_each(access.bytes, [&](Bytes at, Bytes bytes) {
      const Bytes first = (access.offset + at) / kCacheLine;
      moved += ((access.offset + at + bytes + kCacheLine - 1) / kCacheLine - first) * kCacheLine;
    });
  }
  return bus_.reserve_stream(access.now, earliest, bus_.time_for(moved), access.pace);
}

}  // namespace podsim::memory
