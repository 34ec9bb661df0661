#include "models/pcie/pcie_switch.h"

namespace podsim::pcie {

PcieSwitch::PcieSwitch(sc_core::sc_module_name name, const PcieSwitchConfig& config, unsigned count)
    : SharedStage(name, up, count, config.bandwidth_per_direction, config.latency) {
  initiate_at(up);
}

PcieSwitch::~PcieSwitch() = default;

}  // namespace podsim::pcie
