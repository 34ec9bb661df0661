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

PcieEndpoint::PcieEndpoint(sc_core::sc_module_name name, const PcieConfig& config)
    : PcieStage(name, link),
      overhead_(checked(config)),
      latency_(config.latency.ps),
      request_bytes_(config.max_read_request.bytes),
      upstream_(overhead_.packet_bandwidth()),
      downstream_(overhead_.packet_bandwidth()),
      posted_window_(config.posted_credits.bytes),
      read_window_(config.outstanding_reads) {
  answer_at(bus);
  initiate_at(link);
}

PcieEndpoint::~PcieEndpoint() = default;

PcieStage::Stream PcieEndpoint::upstream(Stream arriving, const Shape& shape) {
  const auto on_wire = [&](Bytes bytes) { return overhead_.write_on_wire(bytes); };
  const InFlightWindow::Grant credits = posted_window_.grant(arriving.first_byte, shape.bytes);
  const memory::Reservation wire = upstream_.reserve(credits.first, shape.rows.sum(shape.bytes, on_wire));
  statistics_.upstream_busy += wire.occupancy;
  Picoseconds sent = std::max({arriving.last_byte, wire.finish, credits.last});
  if (credits.rounds > 0) {
    const auto waited = static_cast<Picoseconds>(credits.rounds) * 2 * latency_;
    sent = std::max(sent, wire.start + waited + upstream_.time_for(on_wire(credits.last_portion)));
  }
  posted_window_.sent(shape.bytes, wire.start + 2 * latency_, sent + 2 * latency_, 2 * latency_);
  return {wire.start + latency_, sent + latency_};
}

PcieStage::ReadRequest PcieEndpoint::request(Picoseconds time, const Shape& shape) {
  const Bytes requests = shape.rows.sum(shape.bytes, [&](Bytes bytes) { return overhead_.requests_for(bytes); });
  const InFlightWindow::Grant tags = read_window_.grant(time, requests);
  // Requests slip in between the packets of writes. They take their share of the wire from the writes that come later,
  // and do not wait for all of a burst that was reserved earlier.
  const Bytes on_wire = shape.rows.sum(shape.bytes, [&](Bytes bytes) { return overhead_.requests_on_wire(bytes); });
  statistics_.upstream_busy += upstream_.reserve(tags.first, on_wire).occupancy;
  return {tags.first + latency_, tags.first, tags.last, tags.rounds, tags.last_portion};
}

PcieStage::Stream PcieEndpoint::downstream(Stream arriving, const Shape& shape, const ReadRequest& request) {
  const auto on_wire = [&](Bytes bytes) { return overhead_.completions_on_wire(bytes); };
  const memory::Reservation wire = downstream_.reserve(arriving.first_byte, shape.rows.sum(shape.bytes, on_wire));
  statistics_.downstream_busy += wire.occupancy;
  const Picoseconds round_trip = arriving.first_byte + latency_ - request.first;
  Picoseconds last = std::max({arriving.last_byte + latency_, wire.finish + latency_, request.last + round_trip});
  if (request.rounds > 0) {
    const auto waited = static_cast<Picoseconds>(request.rounds + 1) * round_trip;
    const Bytes last_portion = std::min(shape.bytes, request.last_portion * request_bytes_);
    last = std::max(last, request.first + waited + downstream_.time_for(on_wire(last_portion)));
  }
  const Bytes requests = shape.rows.sum(shape.bytes, [&](Bytes bytes) { return overhead_.requests_for(bytes); });
  read_window_.sent(requests, wire.start + latency_, last, round_trip);
  return {wire.start + latency_, last};
}

}  // namespace podsim::pcie
