// The matrix unit's arithmetic on real data: a plain function over bytes, no SystemC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::tensor_core {

// result[m][n] = sum over k of a[m][k] * b[k][n]; row-major, dense, at any alignment.
//   f32, bf16, f8: products and sums in f32, in order of k; the result is f32.
//   s8:            products and sums in s32, wrapping; the result is s32.
// With `transposed`, b is [n][k].
void multiply(DType type, std::uint32_t m, std::uint32_t k, std::uint32_t n, std::span<const std::byte> a,
              std::span<const std::byte> b, std::span<std::byte> result, bool transposed = false);

}  // namespace podsim::tensor_core
