#include "models/tensor_core/matmul.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "models/tensor_core/bfloat16.h"
#include "models/tensor_core/float8.h"

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
float from_f8(std::uint8_t bits) { return f8_to_f32(bits); }
// Unsigned, because signed overflow is undefined where unsigned wraps.
std::uint32_t from_s8(std::uint8_t bits) { return static_cast<std::uint32_t>(static_cast<std::int8_t>(bits)); }

std::uint32_t canonical(float value) { return value == value ? std::bit_cast<std::uint32_t>(value) : kCanonicalNan; }
std::uint32_t canonical(std::uint32_t value) { return value; }

// [n][k] as [k][n].
template <class Number>
std::vector<Number> turned(const std::vector<Number>& from, std::size_t k, std::size_t n) {
  std::vector<Number> to(from.size());
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t inner = 0; inner < k; ++inner) to[inner * n + column] = from[column * k + inner];
  }
  return to;
}

template <class Number>
void multiply_as(std::uint32_t m, std::uint32_t k, std::uint32_t n, const std::vector<Number>& a, std::vector<Number> b,
                 bool transposed, std::span<std::byte> result) {
  if (transposed) b = turned(b, k, n);
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
              std::span<const std::byte> b, std::span<std::byte> result, bool transposed) {
  const auto as = [&](auto convert) { multiply_as(m, k, n, widen(a, convert), widen(b, convert), transposed, result); };
  switch (type) {
    case DType::kF32: return as(from_f32);
    case DType::kBf16: return as(from_bf16);
    case DType::kF8: return as(from_f8);
    case DType::kS8: return as(from_s8);
    case DType::kS32: return;  // the matrix unit doesn't multiply s32; the command check refuses it
  }
}

}  // namespace podsim::tensor_core
