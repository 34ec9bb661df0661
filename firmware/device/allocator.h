// Hands out a chip's memory and semaphores. Deterministic: the same sequence of requests gives the same places on every
// chip, which is what lets a program address its neighbour's memory. Everything is given back at once between programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/device/buffer.h"
#include "firmware/device/core_figures.h"
#include "firmware/device/semaphores.h"
#include "models/kernel/units.h"

namespace podsim::firmware {

// Figures by which a program may choose how to do a thing.
struct Figures {
  Bandwidth link;                     // of a link, one way
  Picoseconds hop = 0;                // from a router to the next
  Picoseconds step = 0;               // of a message beside its bytes and hops: issue, memory, waking up
  Picoseconds issue = 0;              // of a DMA engine, for each descriptor
  Picoseconds collective_launch = 0;  // from a collective's call to its first instruction
  CoreFigures core{};
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

// Whether DMA may go straight to a buffer of the host.
enum class Pinning : std::uint8_t { kPinned, kPageable };

class Allocator {
 public:
  Allocator(ChipId chip, const Resources& resources);

  // Throw OutOfResources, saying what was asked for and what there is. Buffers are aligned to 512 bytes.
  Buffer hbm(std::uint64_t elements, DType type);
  Buffer vmem(std::uint64_t elements, DType type);
  // In the host's memory. Copies from and to a buffer that is not pinned go by way of one that is (models/pcie).
  Buffer host(std::uint64_t elements, DType type, Pinning pinning = Pinning::kPinned);
  [[nodiscard]] const Resources& resources() const { return resources_; }
  [[nodiscard]] Bytes vmem_free() const { return now_.vmem.free(); }
  SemaphoreArray<DmaSemaphore> dma_semaphores(const std::string& name, std::uint64_t count);
  SemaphoreArray<RegularSemaphore> regular_semaphores(const std::string& name, std::uint64_t count);
  // Throws std::out_of_range for an id that the chip has no barrier semaphore for.
  [[nodiscard]] BarrierSemaphore barrier_semaphore(std::uint32_t collective_id) const;

  // "recv[3]", the name under which a semaphore was allocated.
  [[nodiscard]] std::string name_of(SemaphoreHandle semaphore) const;

  // Whether a stretch of memory lies within one of the buffers that were handed out.
  [[nodiscard]] bool holds(Address address, Bytes bytes) const;

  // Cuts what is free now into equal shares, and from then on hands out of the share chosen last. Programs that run one
  // after the other or side by side get the same places whether or not the others run on this chip too.
  void split(unsigned shares);
  // The same, memory in proportion to one set of weights, semaphores to the other.
  void split(const std::vector<unsigned>& memory, const std::vector<unsigned>& semaphores);
  void use_share(unsigned share);
  // The memory of the present share is free again from its start, as scratch memory is between two kernels. Semaphores
  // are not.
  void reuse_memory();
  // The same, and semaphores as well once an eighth of the share's have been handed out. What takes few of them, and
  // may have no barrier, does not take the same ones again soon; what takes many has nearly all of them.
  void reuse();

  void reset();

 private:
  // What is left of something that is handed out from the bottom up.
  struct Pool {
    std::uint64_t used = 0;
    std::uint64_t end = 0;
    [[nodiscard]] std::uint64_t free() const { return end - used; }
  };
  struct Pools {
    Pool hbm, vmem, host, dma, regular;
  };
  struct Block {
    Address first;
    Bytes bytes;
  };
  struct Named {
    std::uint32_t first;
    std::uint32_t count;
    std::string name;
  };
  [[nodiscard]] Pools all() const;
  // The buffers in a pool's part of a memory are no more.
  void forget(const Pool& pool, Region region, Bytes base);
  Buffer take(Pool& pool, Region region, Bytes base, std::uint64_t elements, DType type);
  std::uint32_t take_semaphores(Pool& pool, std::uint32_t first, const char* kind, const std::string& name,
                                std::uint64_t count);

  const ChipId chip_;
  const Resources resources_;
  Pools now_;
  std::vector<Pools> shares_;  // as far as they have been used
  std::vector<Pools> share_starts_;
  std::size_t share_ = 0;  // that now_ belongs to
  std::vector<Named> names_;
  std::vector<Block> blocks_;  // by address
};

}  // namespace podsim::firmware
