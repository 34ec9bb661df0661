// VMEM: the chip's vector memory. On-chip SRAM with a number of equal ports and no row, refresh or turnaround effects;
// a DMA and the TensorCore that use it at the same time take a port each while there are enough.
#pragma once

#include <vector>

#include "models/memory/memory.h"
#include "models/memory/vmem_config.h"

namespace podsim::memory {

class Vmem final : public Memory {
 public:
  Vmem(sc_core::sc_module_name name, const VmemConfig& config);
  ~Vmem() override;

 private:
  Reservation reserve(const Access& access, Picoseconds earliest) override;

  std::vector<BandwidthServer> ports_;
};

}  // namespace podsim::memory
