// PCIe endpoint: the chip's end of the link to its host, and the link itself in both directions. It answers for host
// memory on the chip's bus.
//
//   write: packets go up the link, bounded by the link's rate and by posted credits.
//   read:  requests go up among the write packets, completions come down; bounded by the link's rate and by the reads
//          that may be outstanding: at most outstanding_reads x MRRS bytes in a round trip.
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

  // `host_read_latency`: what the host needs to answer a read when nothing else is going on, from the request's arrival
  // to the first byte's departure (RootComplexConfig::read_latency()). It sets the round trip over which reads are
  // outstanding. Throws std::invalid_argument when the configuration makes no sense.
  PcieEndpoint(sc_core::sc_module_name name, const PcieConfig& config, Duration host_read_latency);
  ~PcieEndpoint() override;

  [[nodiscard]] const PcieOverhead& overhead() const { return overhead_; }

 private:
  Stream upstream(Stream arriving, Bytes bytes) override;
  ReadRequest request(Picoseconds time, Bytes bytes) override;
  Stream downstream(Stream arriving, Bytes bytes, const ReadRequest& request) override;

  const PcieOverhead overhead_;
  const Picoseconds latency_;
  const Picoseconds read_round_trip_;
  memory::BandwidthServer upstream_;
  memory::BandwidthServer downstream_;
  InFlightWindow posted_window_;
  InFlightWindow read_window_;
};

}  // namespace podsim::pcie
