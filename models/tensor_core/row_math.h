// The vector unit's arithmetic on rows and between types: plain functions over bytes, no SystemC. All of it is computed
// in f32 (integers' sums and maxima in s32, wrapping), with a library of its own for exp, so that the same bytes come
// out on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::tensor_core {

// As many elements as `destination` has. From integers to integers what is out of range saturates; from f32, and to f8,
// too. bf16 and f32 round to nearest even.
void convert(DType from, std::span<const std::byte> source, DType to, std::span<std::byte> destination);

// kRowMax and kRowSum: `destination` has one number (sum_type) for each row of `columns` elements. `initial` has as
// many, or none. A sum is added up in 128 interleaved parts, as a vector register's lanes do, and those then in pairs.
void reduce_rows(Opcode operation, DType type, std::uint64_t columns, std::span<const std::byte> a,
                 std::span<const std::byte> initial, std::span<std::byte> destination);

// kRowExp, kRowMultiply and kRowDivide: `b` has an f32 for each row.
void combine_rows(Opcode operation, DType type, std::uint64_t columns, std::span<const std::byte> a,
                  std::span<const std::byte> b, float scale, DType result, std::span<std::byte> destination);

// e to the x, within two units in the last place; 0 below -87, infinity above 88.7.
[[nodiscard]] float exponential(float x);

}  // namespace podsim::tensor_core
