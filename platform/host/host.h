// A host: the memory, the root complex and the PCIe switches, if there are any, that a few chips share.
//
//   chips -- (switches --) root complex -- staging (for buffers that are not pinned) -- memory
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "models/memory/host_memory.h"
#include "models/pcie/host_staging.h"
#include "models/pcie/pcie_switch.h"
#include "models/pcie/root_complex.h"
#include "platform/pod/pod_config.h"

namespace podsim::host {

class Host final : public sc_core::sc_module {
 public:
  memory::HostMemory memory;
  pcie::HostStaging staging;
  pcie::RootComplex root_complex;
  std::vector<std::unique_ptr<pcie::PcieSwitch>> switches;

  Host(sc_core::sc_module_name name, const pod::HostConfig& config, unsigned chips);

  // Where the host's chip number `chip` is linked to.
  [[nodiscard]] tlm::tlm_target_socket<64>& port(unsigned chip);
  void reset_statistics();

 private:
  const unsigned chips_per_switch_;  // 0: no switches
};

}  // namespace podsim::host
