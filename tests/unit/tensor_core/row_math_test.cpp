// The vector unit's arithmetic on rows and between types, against double precision.
#include "models/tensor_core/row_math.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "models/tensor_core/bfloat16.h"
#include "models/tensor_core/float8.h"

namespace podsim::tensor_core {
namespace {

template <class T>
std::span<const std::byte> in(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}
template <class T>
std::span<std::byte> out(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

// e4m3's definition: (-1)^s 2^(e-7) 1.mmm, and 2^-6 0.mmm where e is zero.
TEST(Float8, AllNumbersAreWhatTheFormatSays) {
  for (unsigned code = 0; code < 256; ++code) {
    const unsigned exponent = code >> 3 & 15, significand = code & 7;
    const float value = f8_to_f32(static_cast<std::uint8_t>(code));
    if (exponent == 15 && significand == 7) {
      EXPECT_TRUE(std::isnan(value));
      continue;
    }
    const double sign = code & 128 ? -1 : 1;
    const double magnitude = exponent == 0 ? std::ldexp(significand / 8.0, -6)
                                           : std::ldexp(1 + significand / 8.0, static_cast<int>(exponent) - 7);
    EXPECT_EQ(value, sign * magnitude) << code;
    EXPECT_EQ(f32_to_f8(value), code) << "there and back";
  }
}

TEST(Float8, RoundsToTheNearestAndEvenOnTies) {
  for (unsigned code = 0; code < 0x7e; ++code) {
    const double low = f8_to_f32(static_cast<std::uint8_t>(code));
    const double high = f8_to_f32(static_cast<std::uint8_t>(code + 1));
    const auto middle = static_cast<float>((low + high) / 2);
    EXPECT_EQ(f32_to_f8(middle), code % 2 == 0 ? code : code + 1);
    EXPECT_EQ(f32_to_f8(std::nextafter(middle, 0.0f)), code);
    EXPECT_EQ(f32_to_f8(std::nextafter(middle, 1000.0f)), code + 1);
  }
  EXPECT_EQ(f8_to_f32(f32_to_f8(1e9f)), 448.0f);
  EXPECT_EQ(f8_to_f32(f32_to_f8(-1e9f)), -448.0f);
}

TEST(RowMath, ExpIsWithinTwoUnitsInTheLastPlace) {
  for (double x = -86; x < 88; x += 0.00917) {
    const auto argument = static_cast<float>(x);
    const double exact = std::exp(static_cast<double>(argument));
    EXPECT_NEAR(exponential(argument), exact, exact * 2 * 0x1p-23) << x;
  }
  EXPECT_EQ(exponential(0), 1.0f);
  EXPECT_EQ(exponential(-1000), 0.0f);
  EXPECT_EQ(exponential(-std::numeric_limits<float>::infinity()), 0.0f);
  EXPECT_TRUE(std::isinf(exponential(100)));
  EXPECT_TRUE(std::isnan(exponential(std::numeric_limits<float>::quiet_NaN())));
}

TEST(RowMath, ReducesEachRow) {
  const std::vector<std::int8_t> a{1, -2, 3, 100, 100, 100};
  std::vector<std::int32_t> result(2);
  reduce_rows(Opcode::kRowSum, DType::kS8, 3, in(a), {}, out(result));
  EXPECT_EQ(result, (std::vector<std::int32_t>{2, 300}));
  const std::vector<std::int32_t> before{5, -7};
  reduce_rows(Opcode::kRowSum, DType::kS8, 3, in(a), in(before), out(result));
  EXPECT_EQ(result, (std::vector<std::int32_t>{7, 293}));
  reduce_rows(Opcode::kRowMax, DType::kS8, 3, in(a), in(before), out(result));
  EXPECT_EQ(result, (std::vector<std::int32_t>{5, 100}));
}

TEST(RowMath, LongSumsOfFloatsStayWithinTheirBound) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> distribution(-1, 1);
  constexpr std::size_t kCount = 100'001;
  std::vector<float> a(kCount);
  double exact = 0, magnitude = 0;
  for (float& x : a) {
    x = distribution(random);
    exact += x;
    magnitude += std::abs(x);
  }
  std::vector<float> result(1);
  reduce_rows(Opcode::kRowSum, DType::kF32, kCount, in(a), {}, out(result));
  // Higham, 4.2: a sum in 128 parts has an error of at most (n/128 + 7) u sum |a|.
  EXPECT_NEAR(result[0], exact, magnitude * (kCount / 128.0 + 8) * 0x1p-24);
}

TEST(RowMath, CombinesEachRowWithItsNumber) {
  const std::vector<float> a{1, 2, 3, 4};
  const std::vector<float> b{2, 4};
  std::vector<float> f32(4);
  combine_rows(Opcode::kRowMultiply, DType::kF32, 2, in(a), in(b), 1, DType::kF32, out(f32));
  EXPECT_EQ(f32, (std::vector<float>{2, 4, 12, 16}));
  combine_rows(Opcode::kRowDivide, DType::kF32, 2, in(a), in(b), 1, DType::kF32, out(f32));
  EXPECT_EQ(f32, (std::vector<float>{0.5f, 1, 0.75f, 1}));
  combine_rows(Opcode::kRowExp, DType::kF32, 2, in(a), in(b), 0.5f, DType::kF32, out(f32));
  EXPECT_NEAR(f32[0], std::exp(-0.5), 1e-6);
  EXPECT_EQ(f32[1], 1.0f);
  std::vector<std::uint16_t> bf16(4);
  combine_rows(Opcode::kRowMultiply, DType::kF32, 2, in(a), in(b), 1, DType::kBf16, out(bf16));
  EXPECT_EQ(bf16_to_f32(bf16[3]), 16.0f);
}

TEST(RowMath, ConversionsSaturate) {
  const std::vector<std::int32_t> wide{1000, -1000, 5};
  std::vector<std::int8_t> narrow(3);
  convert(DType::kS32, in(wide), DType::kS8, out(narrow));
  EXPECT_EQ(narrow, (std::vector<std::int8_t>{127, -128, 5}));
}

}  // namespace
}  // namespace podsim::tensor_core
