// The vector unit's arithmetic on real data: plain functions over bytes, no SystemC. The loops are written to
// vectorise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::tensor_core {

// accumulator[i] = accumulator[i] `operation` operand[i], for kAdd, kMultiply, kMax and kMin. Both spans hold the same
// number of whole elements, at any alignment, and don't overlap.
//   f32:      IEEE 754, round to nearest even.
//   bf16, f8: computed in f32, rounded to nearest even.
//   s32, s8:  two's complement, wraps on overflow.
// A NaN in either operand gives NaN, for kMax and kMin too. Of two equal numbers (-0 and +0) kMax and kMin give the
// operand.
void combine(Opcode operation, DType type, std::span<std::byte> accumulator, std::span<const std::byte> operand);

// Fills with the element whose bit pattern is the low size_of(type) bytes of `pattern`.
void fill(DType type, std::span<std::byte> destination, std::uint64_t pattern);

}  // namespace podsim::tensor_core
