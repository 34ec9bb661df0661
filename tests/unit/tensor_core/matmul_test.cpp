#include "models/tensor_core/matmul.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace podsim::tensor_core {
namespace {

std::uint16_t exact_bf16(float value) { return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16); }

// Small whole numbers: every product and sum is exact, whatever the order, so the textbook triple loop is the
// reference.
TEST(Matmul, WholeNumbersAreExactInEveryType) {
  std::mt19937 random(3);
  const std::uint32_t sizes[][3] = {{1, 1, 1}, {1, 7, 1}, {3, 1, 5}, {5, 3, 2}, {17, 33, 9}, {64, 64, 64}};
  for (const auto& [m, k, n] : sizes) {
    std::vector<int> a(m * k);
    std::vector<int> b(k * n);
    for (int& x : a) x = static_cast<int>(random() % 17) - 8;
    for (int& x : b) x = static_cast<int>(random() % 17) - 8;
    std::vector<int> expected(m * n);
    for (std::uint32_t i = 0; i < m; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) {
        for (std::uint32_t l = 0; l < k; ++l) expected[i * n + j] += a[i * k + l] * b[l * n + j];
      }
    }
    const std::vector<float> as_f32(expected.begin(), expected.end());

    const std::vector<float> a32(a.begin(), a.end());
    const std::vector<float> b32(b.begin(), b.end());
    std::vector<float> f32(m * n);
    multiply(DType::kF32, m, k, n, std::as_bytes(std::span(a32)), std::as_bytes(std::span(b32)),
             std::as_writable_bytes(std::span(f32)));
    EXPECT_EQ(f32, as_f32);

    std::vector<std::uint16_t> a16;
    std::vector<std::uint16_t> b16;
    for (const float x : a32) a16.push_back(exact_bf16(x));
    for (const float x : b32) b16.push_back(exact_bf16(x));
    multiply(DType::kBf16, m, k, n, std::as_bytes(std::span(a16)), std::as_bytes(std::span(b16)),
             std::as_writable_bytes(std::span(f32)));
    EXPECT_EQ(f32, as_f32);

    const std::vector<std::int8_t> a8(a.begin(), a.end());
    const std::vector<std::int8_t> b8(b.begin(), b.end());
    std::vector<std::int32_t> s32(m * n);
    multiply(DType::kS8, m, k, n, std::as_bytes(std::span(a8)), std::as_bytes(std::span(b8)),
             std::as_writable_bytes(std::span(s32)));
    EXPECT_EQ(s32, expected);
  }
}

TEST(Matmul, FractionsStayWithinTheErrorBoundOfF32Sums) {
  constexpr std::uint32_t kSize = 100;
  std::mt19937 random(5);
  std::uniform_real_distribution<float> distribution(-1, 1);
  std::vector<float> a(kSize);
  std::vector<float> b(kSize);
  double exact = 0;
  double magnitude = 0;
  for (std::uint32_t i = 0; i < kSize; ++i) {
    a[i] = distribution(random);
    b[i] = distribution(random);
    exact += static_cast<double>(a[i]) * b[i];
    magnitude += std::abs(static_cast<double>(a[i]) * b[i]);
  }
  float result = 0;
  multiply(DType::kF32, 1, kSize, 1, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)),
           std::as_writable_bytes(std::span(&result, 1)));
  // Higham, Accuracy and Stability of Numerical Algorithms, 3.1: |error| <= n u / (1 - n u) sum |a b|, u = 2^-24.
  EXPECT_LE(std::abs(result - exact), magnitude * kSize * std::ldexp(1.0, -24) * 1.001);
}

TEST(Matmul, AnEmptySumIsZero) {
  std::vector<float> result(6, 7.0f);
  multiply(DType::kF32, 2, 0, 3, {}, {}, std::as_writable_bytes(std::span(result)));
  EXPECT_EQ(result, std::vector<float>(6, 0.0f));
}

TEST(Matmul, NanSpreadsToItsRowOnly) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> a{1, nan, 1, 1};
  const std::vector<float> b{1, 1, 1, 1};
  std::vector<float> result(4);
  multiply(DType::kF32, 2, 2, 2, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)),
           std::as_writable_bytes(std::span(result)));
  EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[1]));
  EXPECT_EQ(result[2], 2.0f);
  EXPECT_EQ(result[3], 2.0f);
}

}  // namespace
}  // namespace podsim::tensor_core
