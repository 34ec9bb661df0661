#include "platform/check/element.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace podsim::check {

using tensor_core::DType;

void store(std::span<unsigned char> bytes, std::uint64_t i, DType type, std::int32_t value) {
  const Bytes size = tensor_core::size_of(type);
  std::uint32_t bits = static_cast<std::uint32_t>(value);
  if (type == DType::kF32) bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == DType::kBf16) bits = std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16;
  std::memcpy(bytes.data() + i * size, &bits, size);  // little-endian, as the model's storage is
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
  }
  return "?";
}

}  // namespace podsim::check
