// Host memory: the DRAM of one host, behind the PCIe root complex. One bandwidth for reads and writes together; refresh
// and turnaround are in that figure, because a host's DRAM is not what podsim is about.
#pragma once

#include "models/memory/host_memory_config.h"
#include "models/memory/memory.h"

namespace podsim::memory {

class HostMemory final : public Memory {
 public:
  HostMemory(sc_core::sc_module_name name, const HostMemoryConfig& config);
  ~HostMemory() override;

 private:
  Reservation reserve(const Access& access, Picoseconds earliest) override;

  BandwidthServer bus_;
};

}  // namespace podsim::memory
