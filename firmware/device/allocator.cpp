#include "firmware/device/allocator.h"

#include <fmt/format.h>

#include <algorithm>

#include "firmware/device/errors.h"

namespace podsim::firmware {

namespace {
constexpr Bytes kAlignment = 512;
}  // namespace

Allocator::Allocator(ChipId chip, const Resources& resources) : chip_(chip), resources_(resources), now_(all()) {}

Allocator::Pools Allocator::all() const {
  return {{0, resources_.hbm},
          {0, resources_.vmem},
          {0, resources_.host},
          {0, resources_.dma_semaphores},
          {0, resources_.regular_semaphores}};
}

Buffer Allocator::take(Pool& pool, Region region, Bytes base, std::uint64_t elements, DType type) {
  const Bytes element = tensor_core::size_of(type);
  const bool overflows = elements > pool.end / element;
  const Bytes bytes = overflows ? 0 : (elements * element + kAlignment - 1) / kAlignment * kAlignment;
  if (overflows || bytes > pool.free()) {
    constexpr const char* kNames[] = {"HBM", "VMEM", "", "", "", "host memory", "host memory"};
    throw OutOfResources(fmt::format("{} elements of {} bytes do not fit into {}: {} of {} bytes are free", elements,
                                     element, kNames[static_cast<unsigned>(region)], pool.free(), pool.end));
  }
  const Buffer buffer{make_address(chip_, region, base + pool.used), elements, type};
  pool.used += bytes;
  const Block block{buffer.address, buffer.bytes()};
  const auto above = [](Address address, const Block& each) { return address < each.first; };
  blocks_.insert(std::upper_bound(blocks_.begin(), blocks_.end(), block.first, above), block);
  return buffer;
}

bool Allocator::holds(Address address, Bytes bytes) const {
  const auto above = [](Address at, const Block& each) { return at < each.first; };
  auto block = std::upper_bound(blocks_.begin(), blocks_.end(), address, above);
  // Empty buffers may lie before others at the same address.
  while (block != blocks_.begin()) {
    --block;
    if (address - block->first + bytes <= block->bytes) return true;
    if (block->bytes > 0) return false;
  }
  return false;
}

void Allocator::split(unsigned shares) {
  const std::vector<unsigned> alike(shares, 1);
  split(alike, alike);
}

namespace {

// The sums of weights, from 0 to that of all.
std::vector<std::uint64_t> edges_of(const std::vector<unsigned>& weights) {
  std::vector<std::uint64_t> edges{0};
  for (const unsigned weight : weights) edges.push_back(edges.back() + weight);
  return edges;
}

}  // namespace

void Allocator::split(const std::vector<unsigned>& memory, const std::vector<unsigned>& semaphores) {
  const auto part = [](const Pool& pool, std::size_t i, const std::vector<std::uint64_t>& edges, std::uint64_t unit) {
    const auto edge = [&](std::size_t n) { return pool.used + pool.free() / unit * edges[n] / edges.back() * unit; };
    return Pool{edge(i), edge(i + 1)};
  };
  const std::vector<std::uint64_t> bytes = edges_of(memory), counts = edges_of(semaphores);
  shares_.clear();
  for (std::size_t i = 0; i < memory.size(); ++i) {
    shares_.push_back({part(now_.hbm, i, bytes, kAlignment), part(now_.vmem, i, bytes, kAlignment),
                       part(now_.host, i, bytes, kAlignment), part(now_.dma, i, counts, 1),
                       part(now_.regular, i, counts, 1)});
  }
  share_starts_ = shares_;
  share_ = 0;
  now_ = shares_.front();
}

void Allocator::reuse() {
  reuse_memory();
  const auto again = [&](Pool& now, const Pool& start) {
    if (8 * (now.used - start.used) > start.free()) now.used = start.used;
  };
  again(now_.dma, share_starts_[share_].dma);
  again(now_.regular, share_starts_[share_].regular);
}

void Allocator::forget(const Pool& pool, Region region, Bytes base) {
  const Address first = make_address(chip_, region, base + pool.used),
                end = make_address(chip_, region, base) + pool.end;
  std::erase_if(blocks_, [&](const Block& block) { return block.first >= first && block.first < end; });
}

void Allocator::reuse_memory() {
  forget(share_starts_[share_].hbm, Region::kHbm, 0);
  forget(share_starts_[share_].vmem, Region::kVmem, 0);
  forget(share_starts_[share_].host, Region::kHost, resources_.host_base);
  forget(share_starts_[share_].host, Region::kPageable, resources_.host_base);
  now_.hbm = share_starts_[share_].hbm;
  now_.vmem = share_starts_[share_].vmem;
  now_.host = share_starts_[share_].host;
}

void Allocator::use_share(unsigned share) {
  shares_[share_] = now_;
  share_ = share;
  now_ = shares_[share];
}

Buffer Allocator::hbm(std::uint64_t elements, DType type) { return take(now_.hbm, Region::kHbm, 0, elements, type); }
Buffer Allocator::vmem(std::uint64_t elements, DType type) { return take(now_.vmem, Region::kVmem, 0, elements, type); }
Buffer Allocator::host(std::uint64_t elements, DType type, Pinning pinning) {
  const Region region = pinning == Pinning::kPinned ? Region::kHost : Region::kPageable;
  return take(now_.host, region, resources_.host_base, elements, type);
}

std::uint32_t Allocator::take_semaphores(Pool& pool, std::uint32_t first, const char* kind, const std::string& name,
                                         std::uint64_t count) {
  if (count > pool.free()) {
    throw OutOfResources(
        fmt::format("{} {} semaphores wanted for '{}', {} of {} are free", count, kind, name, pool.free(), pool.end));
  }
  const std::uint32_t given = first + static_cast<std::uint32_t>(pool.used);
  names_.push_back({given, static_cast<std::uint32_t>(count), name});
  pool.used += count;
  return given;
}

SemaphoreArray<DmaSemaphore> Allocator::dma_semaphores(const std::string& name, std::uint64_t count) {
  return {take_semaphores(now_.dma, 0, "DMA", name, count), static_cast<std::uint32_t>(count)};
}
SemaphoreArray<RegularSemaphore> Allocator::regular_semaphores(const std::string& name, std::uint64_t count) {
  return {take_semaphores(now_.regular, resources_.dma_semaphores, "REGULAR", name, count),
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
  now_ = all();
  shares_.clear();
  share_starts_.clear();
  share_ = 0;
  names_.clear();
  blocks_.clear();
}

}  // namespace podsim::firmware
