// The data check: good results pass, a single wrong byte does not.
#include "platform/check/step_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/check/element.h"
#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim::check {
namespace {

using firmware::Buffer;
using firmware::CollectiveKind;
using firmware::DType;

// Copies "in" to "out" on every chip, which is what a permute of every chip to itself must give.
class StepDataTest : public ::testing::TestWithParam<DType> {
 protected:
  StepDataTest() : pod(testing::pod_config({{3}}), true), data(pod, step) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborate
    step.collective.kind = CollectiveKind::kCollectivePermute;
    step.collective.type = GetParam();
    step.collective.elements = kElements;
    for (std::uint32_t i = 0; i < 3; ++i) step.collective.pairs.emplace_back(static_cast<ChipId>(i), static_cast<ChipId>(i));
    for (const auto& chip : pod.chips()) {
      data.fill(*chip, in(chip->id()), out(chip->id()));
      std::vector<unsigned char> bytes(in(chip->id()).bytes());
      chip->read_memory(in(chip->id()).address, bytes);
      chip->write_memory(out(chip->id()).address, bytes);
    }
  }
  static constexpr std::uint64_t kElements = 37;
  Buffer in(ChipId chip) const { return {make_address(chip, Region::kHbm, 0), kElements, GetParam()}; }
  Buffer out(ChipId chip) const { return {make_address(chip, Region::kHbm, 4096), kElements, GetParam()}; }
  DataResult compare() {
    return data.compare([this](ChipId chip) { return out(chip); });
  }

  pod::Pod pod;
  run::Step step;
  StepData data;
};

TEST_P(StepDataTest, RightDataPasses) {
  EXPECT_EQ(compare().wrong, 0u);
  EXPECT_EQ(compare().explanation, "");
}

TEST_P(StepDataTest, AFlippedBitIsFoundAndItsPlaceIsNamed) {
  const Buffer wrong = out(ChipId{1});
  const Address place = wrong.slice({20, 21}).address;
  std::vector<unsigned char> byte(1);
  pod.chip(ChipId{1}).read_memory(place, byte);
  byte[0] ^= 1;
  pod.chip(ChipId{1}).write_memory(place, byte);
  const DataResult result = compare();
  EXPECT_EQ(result.wrong, 1u);
  EXPECT_THAT(result.explanation, ::testing::HasSubstr("wrong data: chip 1 (1): element 20 of the output is "));
}

TEST_P(StepDataTest, WhatIsNeverWrittenIsWrong) {
  data.fill(pod.chip(ChipId{2}), in(ChipId{2}), out(ChipId{2}));  // poison over the result
  EXPECT_EQ(compare().wrong, kElements);
}

TEST_P(StepDataTest, AnothersDataIsWrong) {
  std::vector<unsigned char> bytes(in(ChipId{0}).bytes());
  pod.chip(ChipId{0}).read_memory(in(ChipId{0}).address, bytes);
  pod.chip(ChipId{1}).write_memory(out(ChipId{1}).address, bytes);
  EXPECT_GT(compare().wrong, kElements / 2) << "all but chance hits";
}

std::string type_name(const ::testing::TestParamInfo<DType>& info) { return std::string(run::name(info.param)); }

INSTANTIATE_TEST_SUITE_P(Types, StepDataTest,
                         ::testing::Values(DType::kF32, DType::kBf16, DType::kS32, DType::kS8), type_name);

TEST(Element, EveryTypeKeepsSmallIntegers) {
  for (const DType type : {DType::kF32, DType::kBf16, DType::kS32, DType::kS8}) {
    std::vector<unsigned char> bytes(4 * 8);
    for (const std::int32_t value : {0, 1, -1, 100, -100, 127}) {
      store(bytes, 3, type, value);
      EXPECT_EQ(element_text(bytes, 3, type), std::to_string(value));
    }
  }
}

TEST(Element, ComparesOneElementAlone) {
  std::vector<unsigned char> a(16), b(16);
  store(a, 2, DType::kBf16, 5);
  EXPECT_TRUE(same_element(a, b, 1, DType::kBf16));
  EXPECT_FALSE(same_element(a, b, 2, DType::kBf16));
  EXPECT_TRUE(same_element(a, b, 3, DType::kBf16));
}

}  // namespace
}  // namespace podsim::check
