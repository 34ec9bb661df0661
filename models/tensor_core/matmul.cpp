#include "models/tensor_core/matmul.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "models/tensor_core/bfloat16.h"

namespace podsim::tensor_core {

namespace {

template <class Stored, class Number>
std::vector<Number> widen(std::span<const std::byte> from, Number (*convert)(Stored)) {
  std::vector<Number> numbers(from.size() / sizeof(Stored));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Stored value;
    std::memcpy(&value, from.data() + i * sizeof(Stored), sizeof(Stored));
    numbers[i] = convert(value);
  }
  return numbers;
}

float from_f32(std::uint32_t bits) { return std::bit_cast<float>(bits); }
float from_bf16(std::uint16_t bits) { return bf16_to_f32(bits); }
// Unsigned, because signed overflow is undefined where unsigned wraps.
std::uint32_t from_s8(std::uint8_t bits) { return static_cast<std::uint32_t>(static_cast<std::int8_t>(bits)); }

std::uint32_t canonical(float value) { return value == value ? std::bit_cast<std::uint32_t>(value) : kCanonicalNan; }
std::uint32_t canonical(std::uint32_t value) { return value; }

template <class Number>
void multiply_as(std::uint32_t m, std::uint32_t k, std::uint32_t n, const std::vector<Number>& a,
                 const std::vector<Number>& b, std::span<std::byte> result) {
  std::vector<Number> sums(n);
  std::vector<std::uint32_t> row_bits(n);
  for (std::size_t row = 0; row < m; ++row) {
    std::fill(sums.begin(), sums.end(), Number{0});
    // A row of b at a time: the innermost loop runs along memory and vectorises, and each sum still adds in order of k.
    for (std::size_t inner = 0; inner < k; ++inner) {
      const Number factor = a[row * k + inner];
      const Number* const b_row = b.data() + inner * n;
      for (std::size_t column = 0; column < n; ++column) sums[column] += factor * b_row[column];
    }
    for (std::size_t column = 0; column < n; ++column) row_bits[column] = canonical(sums[column]);
    std::memcpy(result.data() + row * n * sizeof(std::uint32_t), row_bits.data(), n * sizeof(std::uint32_t));
  }
}

}  // namespace

void multiply(DType type, std::uint32_t m, std::uint32_t k, std::uint32_t n, std::span<const std::byte> a,
              std::span<const std::byte> b, std::span<std::byte> result) {
  switch (type) {
    case DType::kF32: return multiply_as<float>(m, k, n, widen(a, from_f32), widen(b, from_f32), result);
    case DType::kBf16: return multiply_as<float>(m, k, n, widen(a, from_bf16), widen(b, from_bf16), result);
    case DType::kS8: return multiply_as<std::uint32_t>(m, k, n, widen(a, from_s8), widen(b, from_s8), result);
    case DType::kS32: return;  // the matrix unit doesn't multiply s32; the command check refuses it
  }
}

}  // namespace podsim::tensor_core
