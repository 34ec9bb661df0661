// A stage where several ways come together: one bandwidth for each direction, shared by all ports in the order of
// arrival. What a chip may have under way at a time (its DMA engines' limits, its link's credits and tags) is what it
// can put ahead of the others, so that chips which all want more than there is get equal shares.
#pragma once

#include "models/memory/bandwidth_server.h"
#include "models/pcie/pcie_stage.h"

namespace podsim::pcie {

class SharedStage : public PcieStage {
 public:
  sc_core::sc_vector<tlm::tlm_target_socket<64>> ports;

 protected:
  // `towards_memory`: the derived class's socket.
  SharedStage(sc_core::sc_module_name name, tlm::tlm_initiator_socket<64>& towards_memory, unsigned ports,
              Bandwidth bandwidth_per_direction, Duration latency);
  ~SharedStage() override;

 private:
  Stream upstream(Stream arriving, const Shape& shape) override;
  ReadRequest request(Picoseconds time, const Shape& shape) override;
  Stream downstream(Stream arriving, const Shape& shape, const ReadRequest& request) override;

  const Picoseconds latency_;
  podsim::memory::BandwidthServer upstream_;
  podsim::memory::BandwidthServer downstream_;
};

}  // namespace podsim::pcie
