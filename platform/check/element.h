// Single elements in a buffer's bytes, for filling and checking memory from outside the model.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::check {

// Writes an integer as element i. Exact while the type can hold it: for s8 the low byte, for bf16 up to +-256.
void store(std::span<unsigned char> bytes, std::uint64_t i, tensor_core::DType type, std::int32_t value);
// The same of any number, rounded to the nearest the type has (ties to even); integers saturate, f8 as well.
void store_number(std::span<unsigned char> bytes, std::uint64_t i, tensor_core::DType type, double value);
[[nodiscard]] double number_at(std::span<const unsigned char> bytes, std::uint64_t i, tensor_core::DType type);
[[nodiscard]] bool same_element(std::span<const unsigned char> a, std::span<const unsigned char> b, std::uint64_t i,
                                tensor_core::DType type);
[[nodiscard]] std::string element_text(std::span<const unsigned char> bytes, std::uint64_t i, tensor_core::DType type);

}  // namespace podsim::check
