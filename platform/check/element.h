// Single elements in a buffer's bytes, for filling and checking memory from outside the model.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::check {

// Writes an integer as element i. Exact while the type can hold it: for s8 the low byte, for bf16 up to +-256.
void store(std::span<unsigned char> bytes, std::uint64_t i, tensor_core::DType type, std::int32_t value);
[[nodiscard]] bool same_element(std::span<const unsigned char> a, std::span<const unsigned char> b, std::uint64_t i,
                                tensor_core::DType type);
[[nodiscard]] std::string element_text(std::span<const unsigned char> bytes, std::uint64_t i, tensor_core::DType type);

}  // namespace podsim::check
