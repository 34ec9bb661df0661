// Configuration of a chip's semaphore bank.
#pragma once

#include <cstdint>

namespace podsim::semaphore {

struct SemaphoreConfig {
  std::uint32_t dma = 2048;     // count bytes landed or sent
  std::uint32_t regular = 512;  // signalled and waited for by programs
  std::uint32_t barrier = 32;   // one for each collective_id

  [[nodiscard]] std::uint32_t total() const { return dma + regular + barrier; }
};

}  // namespace podsim::semaphore
