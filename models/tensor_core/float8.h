// An eight-bit floating-point number, e4m3: sign, four bits of exponent (bias 7), three of significand, no infinity;
// all ones is NaN, and 448 the largest number (Micikevicius et al., "FP8 Formats for Deep Learning", 2022).
#pragma once

#include <bit>
#include <cstdint>

namespace podsim::tensor_core {

inline constexpr std::uint8_t kF8Nan = 0x7f;
inline constexpr std::uint8_t kF8Largest = 0x7e;

constexpr float f8_to_f32(std::uint8_t value) {
  const std::uint32_t sign = std::uint32_t{value & 0x80u} << 24;
  const std::uint32_t exponent = value >> 3 & 0xfu;
  const std::uint32_t significand = value & 7u;
  if (exponent == 15 && significand == 7) return std::bit_cast<float>(std::uint32_t{0x7fc0'0000});
  if (exponent == 0) {  // multiples of 2^-9
    const float magnitude = static_cast<float>(significand) * 0x1p-9f;
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | (exponent + 120) << 23 | significand << 20);
}

// Rounds to nearest, ties to even. What is too large becomes the largest number, as saturating conversions do.
constexpr std::uint8_t f32_to_f8(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint8_t>(bits >> 24 & 0x80u);
  if (value != value) return kF8Nan;
  const float magnitude = std::bit_cast<float>(bits & 0x7fff'ffffu);
  if (magnitude >= 448.0f) return sign | kF8Largest;
  if (magnitude < 0x1p-6f) {
    // Adding and taking away 2^14 leaves a multiple of 2^-9, rounded as IEEE 754 rounds sums.
    const float rounded = (magnitude + 0x1p14f) - 0x1p14f;
    return sign | static_cast<std::uint8_t>(rounded * 0x1p9f);
  }
  const std::uint32_t rounded = (bits & 0x7fff'ffffu) + 0x7'ffffu + (bits >> 20 & 1u);
  return sign | static_cast<std::uint8_t>((rounded >> 20) - (120u << 3));
}

}  // namespace podsim::tensor_core
