#include "models/kernel/address_map.h"

#include <fmt/format.h>

#include <array>

namespace podsim {

std::string describe(Address address) {
  constexpr std::array<const char*, kRegionCount> kNames = {"hbm",         "vmem", "semaphores",   "dma",
                                                            "tensor_core", "host", "pageable_host"};
  const auto region = static_cast<unsigned>(region_of(address));
  return fmt::format("chip {} {}+{:#x}", index(chip_of(address)), region < kRegionCount ? kNames[region] : "nowhere",
                     offset_of(address));
}

}  // namespace podsim
