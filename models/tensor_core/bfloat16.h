// bfloat16: the upper half of an IEEE 754 binary32 number.
#pragma once

#include <bit>
#include <cstdint>

namespace podsim::tensor_core {

// Every NaN a computation makes is this one, so that results have the same bytes on every machine: IEEE 754 leaves sign
// and payload open, and processors differ.
inline constexpr std::uint32_t kCanonicalNan = 0x7fc0'0000;

constexpr float bf16_to_f32(std::uint16_t value) { return std::bit_cast<float>(std::uint32_t{value} << 16); }

// Rounds to nearest, ties to even; overflow gives infinity, NaN stays NaN. Free of branches, so that loops vectorise.
constexpr std::uint16_t f32_to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
  return static_cast<std::uint16_t>((value == value ? rounded : kCanonicalNan) >> 16);
}

}  // namespace podsim::tensor_core
