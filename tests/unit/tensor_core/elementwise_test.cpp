// The vector unit's arithmetic against independent scalar code: plain loops, wider types, and rounding by distance.
#include "models/tensor_core/elementwise.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "models/tensor_core/bfloat16.h"

namespace podsim::tensor_core {
namespace {

float f32_of_bf16(std::uint16_t bits) {
  const std::uint32_t wide = std::uint32_t{bits} << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

// The nearest bf16 by comparing distances in double, ties to the even one.
std::uint16_t nearest_bf16(float value) {
  if (std::isnan(value)) return 0x7fc0;
  if (std::isinf(value)) return value > 0 ? 0x7f80 : 0xff80;
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const auto down = static_cast<std::uint16_t>(bits >> 16);  // towards zero
  const auto up = static_cast<std::uint16_t>(down + 1);
  const double exact = value;
  const double low = f32_of_bf16(down);
  // Past the largest finite number the next step would be 2^128.
  const double high = (up & 0x7fff) == 0x7f80 ? std::copysign(std::ldexp(1.0, 128), exact) : f32_of_bf16(up);
  const double to_low = std::abs(exact - low);
  const double to_high = std::abs(high - exact);
  if (to_low != to_high) return to_low < to_high ? down : up;
  return (down & 1) == 0 ? down : up;
}

std::vector<std::byte> random_bytes(std::mt19937_64& random, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

template <class T>
T element(const std::vector<std::byte>& bytes, std::size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <class Number>
Number pick(Opcode operation, Number a, Number b) {
  if (operation == Opcode::kMax) return a < b ? b : a;
  return b < a ? b : a;
}

// Value of element i of a `operation` b, as bits.
std::uint32_t expected(Opcode operation, DType type, const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                       std::size_t i) {
  const bool add = operation == Opcode::kAdd;
  switch (type) {
    case DType::kS8: {
      const std::int64_t x = element<std::int8_t>(a, i);
      const std::int64_t y = element<std::int8_t>(b, i);
      return static_cast<std::uint8_t>(add ? x + y : pick(operation, x, y));
    }
    case DType::kS32: {
      const std::int64_t x = element<std::int32_t>(a, i);
      const std::int64_t y = element<std::int32_t>(b, i);
      return static_cast<std::uint32_t>(add ? x + y : pick(operation, x, y));
    }
    case DType::kBf16: {
      const float x = f32_of_bf16(element<std::uint16_t>(a, i));
      const float y = f32_of_bf16(element<std::uint16_t>(b, i));
      return nearest_bf16(add ? x + y : pick(operation, x, y));
    }
    case DType::kF32:
      return std::bit_cast<std::uint32_t>(add ? element<float>(a, i) + element<float>(b, i)
                                              : pick(operation, element<float>(a, i), element<float>(b, i)));
  }
  return 0;
}

std::uint32_t bits_at(const std::vector<std::byte>& bytes, DType type, std::size_t i) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes.data() + i * size_of(type), size_of(type));
  return bits;
}

bool is_nan(DType type, std::uint32_t bits) {
  if (type == DType::kF32) return std::isnan(std::bit_cast<float>(bits));
  if (type == DType::kBf16) return std::isnan(f32_of_bf16(static_cast<std::uint16_t>(bits)));
  return false;
}

class Elementwise : public testing::TestWithParam<std::tuple<Opcode, DType>> {};

TEST_P(Elementwise, MatchesScalarCodeAtEveryLengthAndAlignment) {
  const auto [operation, type] = GetParam();
  std::mt19937_64 random(7);
  for (const std::size_t count : {0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 33, 63, 65, 127, 1023, 4099}) {
    for (const std::size_t shift : {0, 1, 3}) {
      const auto a = random_bytes(random, count * size_of(type));
      const auto b = random_bytes(random, count * size_of(type));
      // Guard bytes on both sides: nothing outside the span may change.
      std::vector<std::byte> buffer(shift + a.size() + 8, std::byte{0xa5});
      std::vector<std::byte> operand(shift + b.size());
      std::copy(a.begin(), a.end(), buffer.begin() + static_cast<std::ptrdiff_t>(shift));
      std::copy(b.begin(), b.end(), operand.begin() + static_cast<std::ptrdiff_t>(shift));
      combine(operation, type, {buffer.data() + shift, a.size()}, {operand.data() + shift, b.size()});

      for (std::size_t i = 0; i < shift; ++i) ASSERT_EQ(buffer[i], std::byte{0xa5});
      for (std::size_t i = shift + a.size(); i < buffer.size(); ++i) ASSERT_EQ(buffer[i], std::byte{0xa5});
      const std::vector<std::byte> result(buffer.begin() + static_cast<std::ptrdiff_t>(shift), buffer.end() - 8);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t got = bits_at(result, type, i);
        if (is_nan(type, bits_at(a, type, i)) || is_nan(type, bits_at(b, type, i))) {
          ASSERT_TRUE(is_nan(type, got)) << "NaN lost at " << i;
        } else {
          ASSERT_EQ(got, expected(operation, type, a, b, i)) << "element " << i << " of " << count;
        }
      }
    }
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<Opcode, DType>>& test) {
  static constexpr const char* kOperations[] = {"Add", "Max", "Min"};
  static constexpr const char* kTypes[] = {"F32", "Bf16", "S32", "S8"};
  const auto [operation, type] = test.param;
  return std::string(kOperations[static_cast<int>(operation)]) + kTypes[static_cast<int>(type)];
}

INSTANTIATE_TEST_SUITE_P(All, Elementwise,
                         testing::Combine(testing::Values(Opcode::kAdd, Opcode::kMax, Opcode::kMin),
                                          testing::Values(DType::kF32, DType::kBf16, DType::kS32, DType::kS8)),
                         name_of);

// Random bits seldom give sums that tie or whose halves are close; random small-exponent numbers do.
TEST(Bf16, SumsRoundToNearestEven) {
  std::mt19937_64 random(11);
  int ties = 0;
  for (int i = 0; i < 200'000; ++i) {
    const auto near_one = [&] {
      return static_cast<std::uint16_t>((random() & 0x8000) | (0x3c00 + (random() & 0x7ff)));
    };
    const std::uint16_t a = near_one();
    const std::uint16_t b = near_one();
    std::uint16_t result = a;
    combine(Opcode::kAdd, DType::kBf16, std::as_writable_bytes(std::span(&result, 1)), std::as_bytes(std::span(&b, 1)));
    const float sum = f32_of_bf16(a) + f32_of_bf16(b);
    ASSERT_EQ(result, nearest_bf16(sum));
    ties += (std::bit_cast<std::uint32_t>(sum) & 0xffff) == 0x8000;
  }
  EXPECT_GT(ties, 1000);
}

TEST(Bf16, EveryValueAndItsNeighboursRoundAsByDistance) {
  for (std::uint32_t high = 0; high < 0x10000; ++high) {
    for (const std::uint32_t low : {0x0000u, 0x0001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      const auto value = std::bit_cast<float>(high << 16 | low);
      ASSERT_EQ(f32_to_bf16(value), nearest_bf16(value)) << std::hex << (high << 16 | low);
    }
  }
}

template <class T>
T one(Opcode operation, DType type, T a, T b) {
  combine(operation, type, std::as_writable_bytes(std::span(&a, 1)), std::as_bytes(std::span(&b, 1)));
  return a;
}

TEST(ElementwiseEdges, IntegersWrap) {
  EXPECT_EQ(one<std::int8_t>(Opcode::kAdd, DType::kS8, 127, 1), -128);
  EXPECT_EQ(one<std::int8_t>(Opcode::kAdd, DType::kS8, -128, -1), 127);
  EXPECT_EQ(one<std::int32_t>(Opcode::kAdd, DType::kS32, std::numeric_limits<std::int32_t>::max(), 1),
            std::numeric_limits<std::int32_t>::min());
}

TEST(ElementwiseEdges, NanIsKeptInEveryPlace) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Opcode operation : {Opcode::kAdd, Opcode::kMax, Opcode::kMin}) {
    EXPECT_TRUE(std::isnan(one(operation, DType::kF32, nan, 1.0f)));
    EXPECT_TRUE(std::isnan(one(operation, DType::kF32, 1.0f, nan)));
    EXPECT_TRUE(std::isnan(f32_of_bf16(one<std::uint16_t>(operation, DType::kBf16, 0x7f81, 0x3f80))));
    EXPECT_TRUE(std::isnan(f32_of_bf16(one<std::uint16_t>(operation, DType::kBf16, 0x3f80, 0xffff))));
  }
}

TEST(ElementwiseEdges, AComputedNanHasTheSameBitsOnEveryMachine) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(std::bit_cast<std::uint32_t>(one(Opcode::kAdd, DType::kF32, infinity, -infinity)), 0x7fc0'0000u);
  EXPECT_EQ(one<std::uint16_t>(Opcode::kAdd, DType::kBf16, 0x7f80, 0xff80), 0x7fc0u);
}

TEST(ElementwiseEdges, Bf16OverflowsToInfinity) {
  EXPECT_EQ(one<std::uint16_t>(Opcode::kAdd, DType::kBf16, 0x7f7f, 0x7f7f), 0x7f80u);
}

TEST(Fill, RepeatsThePatternOfTheElement) {
  for (const DType type : {DType::kF32, DType::kBf16, DType::kS32, DType::kS8}) {
    for (const std::size_t count : {0, 1, 3, 17, 1000}) {
      std::vector<std::byte> bytes(count * size_of(type) + 1, std::byte{0xee});
      fill(type, {bytes.data(), bytes.size() - 1}, 0xffff'ffff'8765'4321u);
      for (std::size_t i = 0; i < bytes.size() - 1; ++i) {
        ASSERT_EQ(bytes[i], static_cast<std::byte>(0x8765'4321u >> 8 * (i % size_of(type))));
      }
      EXPECT_EQ(bytes.back(), std::byte{0xee});
    }
  }
}

}  // namespace
}  // namespace podsim::tensor_core
