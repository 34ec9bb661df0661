// Configuration of the PCIe switches between a host's chips and its root complex.
#pragma once

#include "models/kernel/units.h"

namespace podsim::pcie {

struct PcieSwitchConfig {
  unsigned chips = 0;  // to a switch; 0: chips are linked to the root complex
  // The way up, which the chips share, for data: what a link of 16 lanes of generation 4 leaves of its 31.5 GB/s with
  // 256 B to a packet (pcie_overhead.h). No TPU host's switches are public.
  Bandwidth bandwidth_per_direction{26'000'000'000};
  // One way through it: data sheets of PCIe switches say 100 to 150 ns.
  Duration latency{120'000};
};

}  // namespace podsim::pcie
