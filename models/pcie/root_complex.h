// Root complex: where the PCIe links of a host's chips come together in front of host memory. One bandwidth for each
// direction, shared by all ports in the order of arrival.
#pragma once

#include "models/memory/bandwidth_server.h"
#include "models/pcie/pcie_stage.h"
#include "models/pcie/root_complex_config.h"

namespace podsim::pcie {

class RootComplex final : public PcieStage {
 public:
  sc_core::sc_vector<tlm::tlm_target_socket<64>> ports;  // one for each chip
  tlm::tlm_initiator_socket<64> memory{"memory"};

  RootComplex(sc_core::sc_module_name name, const RootComplexConfig& config, unsigned chips);
  ~RootComplex() override;

 private:
  Stream upstream(Stream arriving, Bytes bytes) override;
  ReadRequest request(Picoseconds time, Bytes bytes) override;
  Stream downstream(Stream arriving, Bytes bytes, const ReadRequest& request) override;

  const Picoseconds latency_;
  podsim::memory::BandwidthServer upstream_;
  podsim::memory::BandwidthServer downstream_;
};

}  // namespace podsim::pcie
