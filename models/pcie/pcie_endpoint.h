// PCIe endpoint: the chip's end of the link to its host, and the link itself in both directions. It answers for host
// memory on the chip's bus.
//
//   write: packets go up the link, bounded by the link's rate and by posted credits.
//          A credit is back a round trip of the link after its packet left; what waits in the root complex behind other
//          chips' data waits there.
//   read:  requests go up among the write packets, completions come down; bounded by the link's rate and by the reads
//          that may be outstanding: each request takes a tag until all of its data is here, so that bandwidth <=
//          outstanding_reads x MRRS / round trip, whatever the round trip is.
//
// Both directions are separate (full duplex). What packets and the link's own traffic cost is PcieOverhead's affair.
#pragma once

#include "models/memory/bandwidth_server.h"
#include "models/pcie/in_flight_window.h"
#include "models/pcie/pcie_config.h"
#include "models/pcie/pcie_overhead.h"
#include "models/pcie/pcie_stage.h"

namespace podsim::pcie {

class PcieEndpoint final : public PcieStage {
 public:
  tlm::tlm_target_socket<64> bus{"bus"};       // from the chip
  tlm::tlm_initiator_socket<64> link{"link"};  // to the root complex

  // Throws std::invalid_argument when the configuration makes no sense.
  PcieEndpoint(sc_core::sc_module_name name, const PcieConfig& config);
  ~PcieEndpoint() override;

  [[nodiscard]] const PcieOverhead& overhead() const { return overhead_; }

 private:
  Stream upstream(Stream arriving, const Shape& shape) override;
  ReadRequest request(Picoseconds time, const Shape& shape) override;
  Stream downstream(Stream arriving, const Shape& shape, const ReadRequest& request) override;

  const PcieOverhead overhead_;
  const Picoseconds latency_;
  const Bytes request_bytes_;
  memory::BandwidthServer upstream_;
  memory::BandwidthServer downstream_;
  InFlightWindow posted_window_;
  InFlightWindow read_window_;
};

}  // namespace podsim::pcie
