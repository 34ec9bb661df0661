// PCIe switch: several chips share one way up to the root complex.
#pragma once

#include "models/pcie/pcie_switch_config.h"
#include "models/pcie/shared_stage.h"

namespace podsim::pcie {

class PcieSwitch final : public SharedStage {
 public:
  tlm::tlm_initiator_socket<64> up{"up"};

  // `ports`: of SharedStage, one for each chip.
  PcieSwitch(sc_core::sc_module_name name, const PcieSwitchConfig& config, unsigned ports);
  ~PcieSwitch() override;
};

}  // namespace podsim::pcie
