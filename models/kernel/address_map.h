// The global address map. An address names a chip and a place on it, so a remote semaphore signal or a remote DMA's
// destination is an ordinary write to an ordinary address.
//
//   63      48 47    40 39                               0
//   +---------+--------+---------------------------------+
//   |  chip   | region |             offset              |
//   +---------+--------+---------------------------------+
//
// Free of SystemC: firmware includes this header as it would a device's register header.
#pragma once

#include <cstdint>
#include <string>

#include "models/kernel/ids.h"
#include "models/kernel/units.h"

namespace podsim {

using Address = std::uint64_t;

// What answers at an address.
enum class Region : std::uint8_t {
  kHbm = 0,
  kVmem = 1,
  kSemaphores = 2,
  kDma = 3,         // one 64 KiB window per engine
  kTensorCore = 4,  // one 64 KiB window per core
  kHost = 5,        // the host's memory, reached over PCIe
  kPageable = 6,    // the same, of buffers that are not pinned: a CPU of the host copies to and from pinned ones
};
inline constexpr unsigned kRegionCount = 7;

constexpr bool is_on_host(Region region) { return region == Region::kHost || region == Region::kPageable; }
constexpr bool is_memory(Region region) {
  return region == Region::kHbm || region == Region::kVmem || is_on_host(region);
}

inline constexpr unsigned kOffsetBits = 40;
inline constexpr unsigned kChipShift = 48;
inline constexpr unsigned kUnitWindowBits = 16;  // size of one DMA engine's or TensorCore's register window
inline constexpr Address kOffsetMask = (Address{1} << kOffsetBits) - 1;
inline constexpr std::uint32_t kMaxChips = 1u << (64 - kChipShift);

constexpr Address make_address(ChipId chip, Region region, Bytes offset) {
  return (Address{index(chip)} << kChipShift) | (Address{static_cast<std::uint8_t>(region)} << kOffsetBits) | offset;
}
constexpr ChipId chip_of(Address address) { return static_cast<ChipId>(address >> kChipShift); }
// Not checked: an address made from garbage can hold a value past the last Region.
constexpr Region region_of(Address address) { return static_cast<Region>((address >> kOffsetBits) & 0xff); }
constexpr Bytes offset_of(Address address) { return address & kOffsetMask; }

// The same place on another chip.
constexpr Address on_chip(Address address, ChipId chip) {
  return (address & ((Address{1} << kChipShift) - 1)) | (Address{index(chip)} << kChipShift);
}

// Register window of DMA engine or TensorCore number `unit`.
constexpr Address unit_window(ChipId chip, Region region, unsigned unit) {
  return make_address(chip, region, Bytes{unit} << kUnitWindowBits);
}
constexpr unsigned unit_of(Address address) { return static_cast<unsigned>(offset_of(address) >> kUnitWindowBits); }
constexpr Bytes unit_register(Address address) { return address & ((Address{1} << kUnitWindowBits) - 1); }

// "chip 3 hbm+0x1000", for messages.
[[nodiscard]] std::string describe(Address address);

}  // namespace podsim
