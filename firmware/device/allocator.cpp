#include "firmware/device/allocator.h"

#include <fmt/format.h>

#include "firmware/device/errors.h"

namespace podsim::firmware {

namespace {
constexpr Bytes kAlignment = 512;
}  // namespace

Allocator::Allocator(ChipId chip, const Resources& resources) : chip_(chip), resources_(resources) {}

Buffer Allocator::take(Bytes& used, Bytes capacity, Region region, Bytes base, std::uint64_t elements, DType type) {
  const Bytes element = tensor_core::size_of(type);
  const bool overflows = elements > capacity / element;
  const Bytes bytes = overflows ? 0 : (elements * element + kAlignment - 1) / kAlignment * kAlignment;
  if (overflows || bytes > capacity - used) {
    constexpr const char* kNames[] = {"HBM", "VMEM", "", "", "", "host memory"};
    throw OutOfResources(fmt::format("{} elements of {} bytes do not fit into {}: {} of {} bytes are free", elements,
                                     element, kNames[static_cast<unsigned>(region)], capacity - used, capacity));
  }
  const Buffer buffer{make_address(chip_, region, base + used), elements, type};
  used += bytes;
  return buffer;
}

Buffer Allocator::hbm(std::uint64_t elements, DType type) {
  return take(hbm_used_, resources_.hbm, Region::kHbm, 0, elements, type);
}
Buffer Allocator::vmem(std::uint64_t elements, DType type) {
  return take(vmem_used_, resources_.vmem, Region::kVmem, 0, elements, type);
}
Buffer Allocator::host(std::uint64_t elements, DType type) {
  return take(host_used_, resources_.host, Region::kHost, resources_.host_base, elements, type);
}

std::uint32_t Allocator::take_semaphores(std::uint32_t& used, std::uint32_t available, std::uint32_t first,
                                         const char* kind, const std::string& name, std::uint64_t count) {
  if (count > available - used) {
    throw OutOfResources(fmt::format("{} {} semaphores wanted for '{}', {} of {} are free", count, kind, name,
                                     available - used, available));
  }
  const std::uint32_t given = first + used;
  names_.push_back({given, static_cast<std::uint32_t>(count), name});
  used += static_cast<std::uint32_t>(count);
  return given;
}

SemaphoreArray<DmaSemaphore> Allocator::dma_semaphores(const std::string& name, std::uint64_t count) {
  return {take_semaphores(dma_used_, resources_.dma_semaphores, 0, "DMA", name, count),
          static_cast<std::uint32_t>(count)};
}
SemaphoreArray<RegularSemaphore> Allocator::regular_semaphores(const std::string& name, std::uint64_t count) {
  return {
      take_semaphores(regular_used_, resources_.regular_semaphores, resources_.dma_semaphores, "REGULAR", name, count),
      static_cast<std::uint32_t>(count)};
}

BarrierSemaphore Allocator::barrier_semaphore(std::uint32_t collective_id) const {
  if (collective_id >= resources_.barrier_semaphores) {
    throw std::out_of_range(fmt::format("collective_id {}: the chip has {} barrier semaphores", collective_id,
                                        resources_.barrier_semaphores));
  }
  return {{resources_.dma_semaphores + resources_.regular_semaphores + collective_id}};
}

std::string Allocator::name_of(SemaphoreHandle semaphore) const {
  for (const Named& named : names_) {
    if (semaphore.index - named.first < named.count) {
      return named.count == 1 ? named.name : fmt::format("{}[{}]", named.name, semaphore.index - named.first);
    }
  }
  const std::uint32_t first_barrier = resources_.dma_semaphores + resources_.regular_semaphores;
  if (semaphore.index >= first_barrier) return fmt::format("barrier[{}]", semaphore.index - first_barrier);
  return fmt::format("#{}", semaphore.index);
}

void Allocator::reset() {
  hbm_used_ = vmem_used_ = host_used_ = 0;
  dma_used_ = regular_used_ = 0;
  names_.clear();
}

}  // namespace podsim::firmware
