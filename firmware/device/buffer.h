// A stretch of a chip's memory, counted in elements of one type. The same program runs on every chip and allocates in
// the same order, so a buffer stands for the same addresses on all of them.
#pragma once

#include <cstdint>

#include "models/kernel/address_map.h"
#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::firmware {

using tensor_core::DType;

// Elements [first, last) of something.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  [[nodiscard]] std::uint64_t size() const { return last - first; }
  [[nodiscard]] bool empty() const { return first == last; }

  // Part i of n, as even as possible: sizes differ by at most one, and parts may be empty.
  [[nodiscard]] Range part(std::uint64_t i, std::uint64_t n) const {
    return {first + size() * i / n, first + size() * (i + 1) / n};
  }
};

struct Buffer {
  Address address = 0;  // on the chip that allocated it
  std::uint64_t elements = 0;
  DType type = DType::kF32;

  [[nodiscard]] Bytes bytes() const { return elements * tensor_core::size_of(type); }
  [[nodiscard]] Range all() const { return {0, elements}; }
  [[nodiscard]] Buffer slice(Range range) const {
    return {address + range.first * tensor_core::size_of(type), range.size(), type};
  }
  // Shard i of n.
  [[nodiscard]] Buffer shard(std::uint64_t i, std::uint64_t n) const { return slice(all().part(i, n)); }
};

}  // namespace podsim::firmware
