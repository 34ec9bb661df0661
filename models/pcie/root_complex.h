// Root complex: where the PCIe links of a host's chips, or of its switches, come together in front of host memory.
#pragma once

#include "models/pcie/root_complex_config.h"
#include "models/pcie/shared_stage.h"

namespace podsim::pcie {

class RootComplex final : public SharedStage {
 public:
  tlm::tlm_initiator_socket<64> memory{"memory"};

  // `ports`: of SharedStage, one for each chip or switch.
  RootComplex(sc_core::sc_module_name name, const RootComplexConfig& config, unsigned ports);
  ~RootComplex() override;
};

}  // namespace podsim::pcie
