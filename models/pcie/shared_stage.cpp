#include "models/pcie/shared_stage.h"

#include <algorithm>

namespace podsim::pcie {

SharedStage::SharedStage(sc_core::sc_module_name name, tlm::tlm_initiator_socket<64>& towards_memory, unsigned count,
                         Bandwidth bandwidth_per_direction, Duration latency)
    : PcieStage(name, towards_memory),
      ports("port", count),
      latency_(latency.ps),
      upstream_(bandwidth_per_direction),
      downstream_(bandwidth_per_direction) {
  for (unsigned i = 0; i < count; ++i) answer_at(ports[i]);
}

SharedStage::~SharedStage() = default;

PcieStage::Stream SharedStage::upstream(Stream arriving, const Shape& shape) {
  const podsim::memory::Reservation fabric = upstream_.reserve(arriving.first_byte, shape.bytes);
  statistics_.upstream_busy += fabric.occupancy;
  return {fabric.start + latency_, std::max(arriving.last_byte, fabric.finish) + latency_};
}

PcieStage::ReadRequest SharedStage::request(Picoseconds time, const Shape&) {
  // Requests are small beside the data they ask for: they cost the latency only.
  return {.arrival = time + latency_};
}

PcieStage::Stream SharedStage::downstream(Stream arriving, const Shape& shape, const ReadRequest&) {
  const podsim::memory::Reservation fabric = downstream_.reserve(arriving.first_byte, shape.bytes);
  statistics_.downstream_busy += fabric.occupancy;
  return {fabric.start + latency_, std::max(arriving.last_byte, fabric.finish) + latency_};
}

}  // namespace podsim::pcie
