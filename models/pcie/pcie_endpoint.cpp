#include "models/pcie/pcie_endpoint.h"

#include <algorithm>
#include <stdexcept>

namespace podsim::pcie {

namespace {

const PcieConfig& checked(const PcieConfig& config) {
  if (config.latency.ps <= 0) throw std::invalid_argument("pcie: latency must be positive");
  if (config.outstanding_reads == 0) throw std::invalid_argument("pcie: outstanding_reads must be at least 1");
  if (config.posted_credits.bytes == 0) throw std::invalid_argument("pcie: posted_credits must not be zero");
  return config;
}

}  // namespace

PcieEndpoint::PcieEndpoint(sc_core::sc_module_name name, const PcieConfig& config, Duration host_read_latency)
    : PcieStage(name, link),
      overhead_(checked(config)),
      latency_(config.latency.ps),
      read_round_trip_(2 * config.latency.ps + host_read_latency.ps),
      upstream_(overhead_.packet_bandwidth()),
      downstream_(overhead_.packet_bandwidth()),
      posted_window_(config.posted_credits.bytes, 2 * latency_),
      read_window_(config.outstanding_reads * config.max_read_request.bytes, read_round_trip_) {
  answer_at(bus);
  initiate_at(link);
}

PcieEndpoint::~PcieEndpoint() = default;

PcieStage::Stream PcieEndpoint::upstream(Stream arriving, Bytes bytes) {
  const Picoseconds admitted = posted_window_.admit(arriving.first_byte, bytes);
  const memory::Reservation wire = upstream_.reserve(admitted, overhead_.write_on_wire(bytes));
  statistics_.upstream_busy += wire.occupancy;
  const Picoseconds last_credits = posted_window_.last_portion_at(admitted, bytes);
  const Bytes last_portion = overhead_.write_on_wire(posted_window_.last_portion(bytes));
  const Picoseconds sent = std::max({arriving.last_byte, wire.finish, last_credits + upstream_.time_for(last_portion)});
  return {wire.start + latency_, sent + latency_};
}

PcieStage::ReadRequest PcieEndpoint::request(Picoseconds time, Bytes bytes) {
  const Picoseconds admitted = read_window_.admit(time, bytes);
  // Requests slip in between the packets of writes. They take their share of the wire from the writes that come later,
  // and do not wait for all of a burst that was reserved earlier.
  statistics_.upstream_busy += upstream_.reserve(admitted, overhead_.requests_on_wire(bytes)).occupancy;
  // The last requests leave when the tags before them are back; what they ask for then comes down at the link's rate.
  const Picoseconds last_requests = read_window_.last_portion_at(admitted, bytes);
  const Bytes last_portion = overhead_.completions_on_wire(read_window_.last_portion(bytes));
  return {admitted + latency_, last_requests + read_round_trip_ + downstream_.time_for(last_portion)};
}

PcieStage::Stream PcieEndpoint::downstream(Stream arriving, Bytes bytes, const ReadRequest& request) {
  const memory::Reservation wire = downstream_.reserve(arriving.first_byte, overhead_.completions_on_wire(bytes));
  statistics_.downstream_busy += wire.occupancy;
  return {wire.start + latency_, std::max(std::max(arriving.last_byte, wire.finish) + latency_, request.last_byte)};
}

}  // namespace podsim::pcie
