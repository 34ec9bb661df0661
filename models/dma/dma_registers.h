// Register map of a DMA engine: one descriptor, written in one go; the write of its last word is the doorbell. The
// write stalls while the descriptor queue is full. Free of SystemC.
#pragma once

#include <array>

#include "models/kernel/address_map.h"

namespace podsim::dma {

inline constexpr Address kNoSemaphore = ~Address{0};

// A copy of `bytes` bytes. Source and destination are global addresses; the source is on this chip (or its host), the
// destination on any chip: DMA is push-only. Addresses of semaphores are those of their kAdd register; the DMA adds the
// number of bytes moved.
struct Descriptor {
  Address source = 0;
  Address destination = 0;
  Bytes bytes = 0;
  Address send_semaphore = kNoSemaphore;  // on this chip: the source has been read and may be reused
  Address recv_semaphore = kNoSemaphore;  // on the destination's chip: the data is visible there
  std::uint64_t tag = 0;                  // the program's own number for the copy; for observers

  [[nodiscard]] std::array<std::uint64_t, 6> words() const {
    return {source, destination, bytes, send_semaphore, recv_semaphore, tag};
  }
  static Descriptor from_words(const std::uint64_t* w) { return {w[0], w[1], w[2], w[3], w[4], w[5]}; }
};

inline constexpr Bytes kDescriptor = 0;  // offset in the engine's register window

}  // namespace podsim::dma
