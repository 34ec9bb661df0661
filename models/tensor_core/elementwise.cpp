#include "models/tensor_core/elementwise.h"

#include <bit>
#include <cstring>
#include <limits>

#include "models/tensor_core/bfloat16.h"
#include "models/tensor_core/float8.h"

namespace podsim::tensor_core {

namespace {

static_assert(std::numeric_limits<float>::is_iec559);
static_assert(std::endian::native == std::endian::little, "memory contents are little-endian, as a TPU's are");

// Element access by memcpy: right at any alignment, and the compiler makes vector loads of it.
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

template <class T, class Function>
void for_each(std::span<std::byte> accumulator, std::span<const std::byte> operand, Function function) {
  std::byte* const a = accumulator.data();
  const std::byte* const b = operand.data();
  const std::size_t count = accumulator.size() / sizeof(T);
  for (std::size_t i = 0; i < count; ++i) store<T>(a, i, function(load<T>(a, i), load<T>(b, i)));
}

// The element types as the loops see them: how to add, and how to compare. Floating-point values are handled by their
// bits, so that kMax and kMin hand an operand on unchanged.
struct F32 {
  using Bits = std::uint32_t;
  static float number(Bits bits) { return std::bit_cast<float>(bits); }
  static Bits add(Bits a, Bits b) {
    const float sum = number(a) + number(b);
    return sum == sum ? std::bit_cast<Bits>(sum) : kCanonicalNan;
  }
  static Bits multiply(Bits a, Bits b) {
    const float product = number(a) * number(b);
    return product == product ? std::bit_cast<Bits>(product) : kCanonicalNan;
  }
};
struct Bf16 {
  using Bits = std::uint16_t;
  static float number(Bits bits) { return bf16_to_f32(bits); }
  static Bits add(Bits a, Bits b) { return f32_to_bf16(number(a) + number(b)); }
  static Bits multiply(Bits a, Bits b) { return f32_to_bf16(number(a) * number(b)); }
};
struct F8 {
  using Bits = std::uint8_t;
  static float number(Bits bits) { return f8_to_f32(bits); }
  static Bits add(Bits a, Bits b) { return f32_to_f8(number(a) + number(b)); }
  static Bits multiply(Bits a, Bits b) { return f32_to_f8(number(a) * number(b)); }
};
struct S32 {
  using Bits = std::uint32_t;
  static std::int32_t number(Bits bits) { return static_cast<std::int32_t>(bits); }
  static Bits add(Bits a, Bits b) { return a + b; }
  static Bits multiply(Bits a, Bits b) { return a * b; }
};
struct S8 {
  using Bits = std::uint8_t;
  static std::int8_t number(Bits bits) { return static_cast<std::int8_t>(bits); }
  static Bits add(Bits a, Bits b) { return static_cast<Bits>(a + b); }
  static Bits multiply(Bits a, Bits b) { return static_cast<Bits>(a * b); }
};

template <class Type>
void combine_as(Opcode operation, std::span<std::byte> accumulator, std::span<const std::byte> operand) {
  using Bits = typename Type::Bits;
  // `x != x` is NaN's own test, and no test at all for integers. `|` rather than `||`: no branch.
  const auto greater = [](Bits a, Bits b) {
    const auto x = Type::number(a);
    return (x > Type::number(b)) | (x != x) ? a : b;
  };
  const auto less = [](Bits a, Bits b) {
    const auto x = Type::number(a);
    return (x < Type::number(b)) | (x != x) ? a : b;
  };
  if (operation == Opcode::kAdd) for_each<Bits>(accumulator, operand, &Type::add);
  if (operation == Opcode::kMultiply) for_each<Bits>(accumulator, operand, &Type::multiply);
  if (operation == Opcode::kMax) for_each<Bits>(accumulator, operand, greater);
  if (operation == Opcode::kMin) for_each<Bits>(accumulator, operand, less);
}

template <class T>
void fill_as(std::span<std::byte> destination, std::uint64_t pattern) {
  const std::size_t count = destination.size() / sizeof(T);
  for (std::size_t i = 0; i < count; ++i) store<T>(destination.data(), i, static_cast<T>(pattern));
}

}  // namespace

void combine(Opcode operation, DType type, std::span<std::byte> accumulator, std::span<const std::byte> operand) {
  switch (type) {
    case DType::kF32: return combine_as<F32>(operation, accumulator, operand);
    case DType::kBf16: return combine_as<Bf16>(operation, accumulator, operand);
    case DType::kS32: return combine_as<S32>(operation, accumulator, operand);
    case DType::kS8: return combine_as<S8>(operation, accumulator, operand);
    case DType::kF8: return combine_as<F8>(operation, accumulator, operand);
  }
}

void fill(DType type, std::span<std::byte> destination, std::uint64_t pattern) {
  switch (size_of(type)) {
    case 4: return fill_as<std::uint32_t>(destination, pattern);
    case 2: return fill_as<std::uint16_t>(destination, pattern);
    case 1: return fill_as<std::uint8_t>(destination, pattern);
  }
}

}  // namespace podsim::tensor_core
