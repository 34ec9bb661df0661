// Hands out a chip's memory and semaphores. Deterministic: the same sequence of requests gives the same places on every
// chip, which is what lets a program address its neighbour's memory. Everything is given back at once between programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/device/buffer.h"
#include "firmware/device/semaphores.h"
#include "models/kernel/units.h"

namespace podsim::firmware {

// Figures by which a program may choose how to do a thing.
struct Figures {
  Bandwidth link;         // of a link, one way
  Picoseconds hop = 0;    // from a router to the next
  Picoseconds step = 0;   // of a message beside its bytes and hops: issue, memory, waking up
  Picoseconds issue = 0;  // of a DMA engine, for each descriptor
};

// What a chip has, as the platform built it.
struct Resources {
  Bytes hbm = 0;
  Bytes vmem = 0;
  std::uint32_t dma_semaphores = 0;
  std::uint32_t regular_semaphores = 0;
  std::uint32_t barrier_semaphores = 0;
  unsigned dma_engines = 1;
  unsigned tensor_cores = 1;
  unsigned contexts = 1;
  Bytes host = 0;  // this chip's part of its host's memory
  Address host_base = 0;
  Figures figures{};
};

class Allocator {
 public:
  Allocator(ChipId chip, const Resources& resources);

  // Throw OutOfResources, saying what was asked for and what there is. Buffers are aligned to 512 bytes.
  Buffer hbm(std::uint64_t elements, DType type);
  Buffer vmem(std::uint64_t elements, DType type);
  Buffer host(std::uint64_t elements, DType type);
  [[nodiscard]] const Resources& resources() const { return resources_; }
  [[nodiscard]] Bytes vmem_free() const { return resources_.vmem - vmem_used_; }
  SemaphoreArray<DmaSemaphore> dma_semaphores(const std::string& name, std::uint64_t count);
  SemaphoreArray<RegularSemaphore> regular_semaphores(const std::string& name, std::uint64_t count);
  // Throws std::out_of_range for an id that the chip has no barrier semaphore for.
  [[nodiscard]] BarrierSemaphore barrier_semaphore(std::uint32_t collective_id) const;

  // "recv[3]", the name under which a semaphore was allocated.
  [[nodiscard]] std::string name_of(SemaphoreHandle semaphore) const;

  void reset();

 private:
  struct Named {
    std::uint32_t first;
    std::uint32_t count;
    std::string name;
  };
  Buffer take(Bytes& used, Bytes capacity, Region region, Bytes base, std::uint64_t elements, DType type);
  std::uint32_t take_semaphores(std::uint32_t& used, std::uint32_t available, std::uint32_t first, const char* kind,
                                const std::string& name, std::uint64_t count);

  const ChipId chip_;
  const Resources resources_;
  Bytes hbm_used_ = 0;
  Bytes vmem_used_ = 0;
  Bytes host_used_ = 0;
  std::uint32_t dma_used_ = 0;
  std::uint32_t regular_used_ = 0;
  std::vector<Named> names_;
};

}  // namespace podsim::firmware
