// Handles to a chip's semaphores. Programs allocate the same ones on every chip, so a handle names the same semaphore
// everywhere. Semantics follow Pallas on TPU:
//   DmaSemaphore      counts bytes; DMAs raise it, waiting subtracts
//   RegularSemaphore  signalled by programs, on any chip; waiting subtracts
//   BarrierSemaphore  belongs to a collective_id, shared by all kernels that use that id
#pragma once

#include <cstdint>

namespace podsim::firmware {

struct SemaphoreHandle {
  std::uint32_t index = 0;  // in the chip's semaphore bank
};

struct DmaSemaphore : SemaphoreHandle {};
struct RegularSemaphore : SemaphoreHandle {};
struct BarrierSemaphore : SemaphoreHandle {};

// A run of semaphores of one kind.
template <class Handle>
struct SemaphoreArray {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  [[nodiscard]] Handle operator[](std::uint64_t i) const { return Handle{{first + static_cast<std::uint32_t>(i)}}; }
};

}  // namespace podsim::firmware
