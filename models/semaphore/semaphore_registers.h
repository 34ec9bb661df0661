// Register map of the semaphore bank. One semaphore takes 32 bytes; kinds are contiguous: first the DMA semaphores,
// then REGULAR, then BARRIER. Free of SystemC.
#pragma once

#include "models/kernel/address_map.h"

namespace podsim::semaphore {

inline constexpr Bytes kStride = 32;
inline constexpr Bytes kValue = 0;  // read: present value. write: set it (for reset only)
inline constexpr Bytes kAdd = 8;    // write: add to the value. A remote signal is a posted write to this register
inline constexpr Bytes kWait = 16;  // write: stalls until value >= data, then subtracts data. Served in order of issue

constexpr Address register_address(ChipId chip, std::uint32_t semaphore, Bytes which) {
  return make_address(chip, Region::kSemaphores, semaphore * kStride + which);
}
constexpr std::uint32_t semaphore_of(Address address) {
  return static_cast<std::uint32_t>(offset_of(address) / kStride);
}

}  // namespace podsim::semaphore
