#include "platform/check/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace podsim::check {

using tensor_core::DType;

void store(std::span<unsigned char> bytes, std::uint64_t i, DType type, std::int32_t value) {
  const Bytes size = tensor_core::size_of(type);
  std::uint32_t bits = static_cast<std::uint32_t>(value);
  if (type == DType::kF32) bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == DType::kBf16) bits = std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16;
  std::memcpy(bytes.data() + i * size, &bits, size);  // little-endian, as the model's storage is
}

namespace {

// Rounds to so many bits of significand, none worth less than 2^least: apart from the model's own conversions.
double rounded(double value, int bits, int least) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value) - bits + 1, least);
  return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}

std::uint32_t f8_bits(double value) {
  constexpr double kLargest = 448;
  const double magnitude = std::min(std::abs(rounded(value, 4, -9)), kLargest);
  const std::uint32_t sign = std::signbit(value) ? 0x80 : 0;
  for (std::uint32_t code = 0; code < 0x7f; ++code) {
    const std::uint32_t exponent = code >> 3, significand = code & 7;
    const double each =
        exponent == 0 ? std::ldexp(significand, -9) : std::ldexp(8.0 + significand, static_cast<int>(exponent) - 10);
    if (each == magnitude) return sign | code;
  }
  return sign | 0x7f;
}

double f8_number(std::uint32_t code) {
  const std::uint32_t exponent = code >> 3 & 15, significand = code & 7;
  if (exponent == 15 && significand == 7) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude =
      exponent == 0 ? std::ldexp(significand, -9) : std::ldexp(8.0 + significand, static_cast<int>(exponent) - 10);
  return (code & 0x80) != 0 ? -magnitude : magnitude;
}

}  // namespace

void store_number(std::span<unsigned char> bytes, std::uint64_t i, DType type, double value) {
  std::uint32_t bits = 0;
  switch (type) {
    case DType::kF32: bits = std::bit_cast<std::uint32_t>(static_cast<float>(value)); break;
    case DType::kBf16: bits = std::bit_cast<std::uint32_t>(static_cast<float>(rounded(value, 8, -133))) >> 16; break;
    case DType::kF8: bits = f8_bits(value); break;
    case DType::kS32:
      bits =
          static_cast<std::uint32_t>(static_cast<std::int32_t>(std::clamp(std::nearbyint(value), -0x1p31, 0x1p31 - 1)));
      break;
    case DType::kS8:
      bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(std::clamp(std::nearbyint(value), -128.0, 127.0)));
      break;
  }
  const Bytes size = tensor_core::size_of(type);
  std::memcpy(bytes.data() + i * size, &bits, size);
}

double number_at(std::span<const unsigned char> bytes, std::uint64_t i, DType type) {
  const Bytes size = tensor_core::size_of(type);
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes.data() + i * size, size);
  switch (type) {
    case DType::kF32: return std::bit_cast<float>(bits);
    case DType::kBf16: return std::bit_cast<float>(bits << 16);
    case DType::kF8: return f8_number(bits);
    case DType::kS32: return static_cast<std::int32_t>(bits);
    case DType::kS8: return static_cast<signed char>(bits);
  }
  return 0;
}

bool same_element(std::span<const unsigned char> a, std::span<const unsigned char> b, std::uint64_t i, DType type) {
  const Bytes size = tensor_core::size_of(type);
  return std::memcmp(a.data() + i * size, b.data() + i * size, size) == 0;
}

std::string element_text(std::span<const unsigned char> bytes, std::uint64_t i, DType type) {
  const Bytes size = tensor_core::size_of(type);
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes.data() + i * size, size);
  switch (type) {
    case DType::kF32: return fmt::format("{}", std::bit_cast<float>(bits));
    case DType::kBf16: return fmt::format("{}", std::bit_cast<float>(bits << 16));
    case DType::kS32: return fmt::format("{}", static_cast<std::int32_t>(bits));
    case DType::kS8: return fmt::format("{}", static_cast<int>(static_cast<signed char>(bits)));
    case DType::kF8: return fmt::format("{}", f8_number(bits));
  }
  return "?";
}

}  // namespace podsim::check
