#include "models/pcie/root_complex.h"

#include <algorithm>

namespace podsim::pcie {

RootComplex::RootComplex(sc_core::sc_module_name name, const RootComplexConfig& config, unsigned chips)
    : PcieStage(name, memory),
      ports("port", chips),
      latency_(config.latency.ps),
      upstream_(config.bandwidth_per_direction),
      downstream_(config.bandwidth_per_direction) {
  for (unsigned i = 0; i < chips; ++i) answer_at(ports[i]);
  initiate_at(memory);
}

RootComplex::~RootComplex() = default;

PcieStage::Stream RootComplex::upstream(Stream arriving, Bytes bytes) {
  const podsim::memory::Reservation fabric = upstream_.reserve(arriving.first_byte, bytes);
  statistics_.upstream_busy += fabric.occupancy;
  return {fabric.start + latency_, std::max(arriving.last_byte, fabric.finish) + latency_};
}

PcieStage::ReadRequest RootComplex::request(Picoseconds time, Bytes) {
  // Requests are small beside the data they ask for: they cost the fabric latency only.
  return {time + latency_, 0};
}

PcieStage::Stream RootComplex::downstream(Stream arriving, Bytes bytes, const ReadRequest&) {
  const podsim::memory::Reservation fabric = downstream_.reserve(arriving.first_byte, bytes);
  statistics_.downstream_busy += fabric.occupancy;
  return {fabric.start + latency_, std::max(arriving.last_byte, fabric.finish) + latency_};
}

}  // namespace podsim::pcie
