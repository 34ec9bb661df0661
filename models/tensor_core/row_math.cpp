#include "models/tensor_core/row_math.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

#include "models/tensor_core/bfloat16.h"
#include "models/tensor_core/float8.h"

namespace podsim::tensor_core {

namespace {

template <class T>
T load(const std::byte* from, std::size_t i) {
  T value;
  std::memcpy(&value, from + i * sizeof(T), sizeof(T));
  return value;
}
template <class T>
void store(std::byte* to, std::size_t i, T value) {
  std::memcpy(to + i * sizeof(T), &value, sizeof(T));
}

bool is_integer(DType type) { return sum_type(type) == DType::kS32; }

float float_at(DType type, const std::byte* data, std::size_t i) {
  switch (type) {
    case DType::kF32: return load<float>(data, i);
    case DType::kBf16: return bf16_to_f32(load<std::uint16_t>(data, i));
    case DType::kF8: return f8_to_f32(load<std::uint8_t>(data, i));
    case DType::kS32: return static_cast<float>(load<std::int32_t>(data, i));
    case DType::kS8: return static_cast<float>(load<std::int8_t>(data, i));
  }
  return 0;
}

std::int32_t integer_at(DType type, const std::byte* data, std::size_t i) {
  return type == DType::kS8 ? load<std::int8_t>(data, i) : load<std::int32_t>(data, i);
}

template <class Integer>
Integer saturated(double value) {
  if (value != value) return 0;
  const double least = std::numeric_limits<Integer>::min();
  const double most = std::numeric_limits<Integer>::max();
  return static_cast<Integer>(std::clamp(value, least, most));
}

void put_float(DType type, std::byte* data, std::size_t i, float value) {
  switch (type) {
    case DType::kF32: return store(data, i, value == value ? std::bit_cast<std::uint32_t>(value) : kCanonicalNan);
    case DType::kBf16: return store(data, i, f32_to_bf16(value));
    case DType::kF8: return store(data, i, f32_to_f8(value));
    case DType::kS32: return store(data, i, saturated<std::int32_t>(value));
    case DType::kS8: return store(data, i, saturated<std::int8_t>(value));
  }
}

constexpr std::size_t kLanes = 128;

// Sums `count` numbers as a vector register's lanes would.
template <class Number, class At>
Number sum_of(std::size_t count, At at) {
  std::array<Number, kLanes> lanes{};
  for (std::size_t i = 0; i < count; ++i) lanes[i % kLanes] += at(i);
  for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  }
  return lanes[0];
}

}  // namespace

float exponential(float x) {
  if (x != x) return std::bit_cast<float>(kCanonicalNan);
  if (x > 88.7f) return std::numeric_limits<float>::infinity();
  if (x < -87.0f) return 0;
  // exp(x) = 2^n exp(r), |r| <= ln 2 / 2, with ln 2 in two parts (Cody and Waite), and exp(r)'s Taylor polynomial.
  const float scaled = x * 1.44269504f;
  const auto n = static_cast<std::int32_t>(scaled + (scaled < 0 ? -0.5f : 0.5f));
  const auto whole = static_cast<float>(n);
  const float r = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
  float sum = 1.0f / 5040;
  for (const float coefficient : {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) {
    sum = sum * r + coefficient;
  }
  return sum * std::bit_cast<float>(static_cast<std::uint32_t>(std::min(n, 127) + 127) << 23) * (n > 127 ? 2.0f : 1.0f);
}

void convert(DType from, std::span<const std::byte> source, DType to, std::span<std::byte> destination) {
  const std::size_t count = destination.size() / size_of(to);
  const bool integers = is_integer(from) && is_integer(to);
  for (std::size_t i = 0; i < count; ++i) {
    if (!integers) {
      put_float(to, destination.data(), i, float_at(from, source.data(), i));
    } else if (to == DType::kS32) {
      store(destination.data(), i, integer_at(from, source.data(), i));
    } else {
      store(destination.data(), i, static_cast<std::int8_t>(std::clamp(integer_at(from, source.data(), i), -128, 127)));
    }
  }
}

void reduce_rows(Opcode operation, DType type, std::uint64_t columns, std::span<const std::byte> a,
                 std::span<const std::byte> initial, std::span<std::byte> destination) {
  const std::size_t rows = destination.size() / sizeof(std::uint32_t);
  const bool first = initial.empty();
  for (std::size_t row = 0; row < rows; ++row) {
    const std::byte* const data = a.data() + row * columns * size_of(type);
    if (is_integer(type)) {
      // Unsigned sums, because signed overflow is undefined where unsigned wraps.
      const auto at = [&](std::size_t i) { return static_cast<std::uint32_t>(integer_at(type, data, i)); };
      std::int32_t result = 0;
      if (operation == Opcode::kRowSum) {
        result = static_cast<std::int32_t>(sum_of<std::uint32_t>(columns, at) +
                                           (first ? 0 : load<std::uint32_t>(initial.data(), row)));
      } else {
        result = first ? std::numeric_limits<std::int32_t>::min() : load<std::int32_t>(initial.data(), row);
        for (std::size_t i = 0; i < columns; ++i) result = std::max(result, integer_at(type, data, i));
      }
      store(destination.data(), row, result);
      continue;
    }
    const auto at = [&](std::size_t i) { return float_at(type, data, i); };
    float result = 0;
    if (operation == Opcode::kRowSum) {
      result = sum_of<float>(columns, at) + (first ? 0 : load<float>(initial.data(), row));
    } else {
      result = first ? -std::numeric_limits<float>::infinity() : load<float>(initial.data(), row);
      for (std::size_t i = 0; i < columns; ++i) {
        const float value = at(i);
        result = (value > result) || (value != value) ? value : result;
      }
    }
    put_float(DType::kF32, destination.data(), row, result);
  }
}

void combine_rows(Opcode operation, DType type, std::uint64_t columns, std::span<const std::byte> a,
                  std::span<const std::byte> b, float scale, DType result, std::span<std::byte> destination) {
  const std::size_t rows = b.size() / sizeof(float);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto number = load<float>(b.data(), row);
    const std::byte* const from = a.data() + row * columns * size_of(type);
    std::byte* const to = destination.data() + row * columns * size_of(result);
    const auto each = [&](auto function) {
      for (std::size_t i = 0; i < columns; ++i) put_float(result, to, i, function(float_at(type, from, i)));
    };
    if (operation == Opcode::kRowExp) each([&](float x) { return exponential(scale * (x - number)); });
    if (operation == Opcode::kRowMultiply) each([&](float x) { return x * number; });
    if (operation == Opcode::kRowDivide) each([&](float x) { return x / number; });
  }
}

}  // namespace podsim::tensor_core
