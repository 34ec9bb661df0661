// What can hold up a program that waits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include "models/kernel/units.h"

namespace podsim::stall {

enum class Cause : unsigned char {
  kSemaphore,   // a peer that has not signalled, or not yet sent what is waited for
  kLink,        // a link: other traffic on it, its own bytes, its latency. PCIe's, of copies from and to the host
  kHbm,         // this chip's or the peer's memory: its latency, its bandwidth, its other users
  kDmaSlot,     // a DMA engine: its queue full, no context or burst free, other descriptors ahead
  kVectorUnit,  // a TensorCore that has commands to do, these and others
  kContext,     // no context of the core free
  kCore,        // instructions: launch, bus words, descriptor issue, wake-up
};
inline constexpr std::size_t kCauses = 7;

// Time by cause.
struct Stalls {
  std::array<Picoseconds, kCauses> by{};

  [[nodiscard]] Picoseconds& operator[](Cause cause) { return by[static_cast<std::size_t>(cause)]; }
  [[nodiscard]] Picoseconds operator[](Cause cause) const { return by[static_cast<std::size_t>(cause)]; }
  [[nodiscard]] Picoseconds all() const { return std::accumulate(by.begin(), by.end(), Picoseconds{0}); }
  [[nodiscard]] Cause most() const { return static_cast<Cause>(std::max_element(by.begin(), by.end()) - by.begin()); }
  Stalls& operator+=(const Stalls& other) {
    for (std::size_t i = 0; i < kCauses; ++i) by[i] += other.by[i];
    return *this;
  }
};

}  // namespace podsim::stall
