// YAML keys of a TensorCore, the section `tensor_core`. Its matrix and vector units have sections of their own.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "models/tensor_core/tensor_core_config.h"
#include "platform/config/fields.h"
#include "platform/config/scalar_parsers.h"

namespace podsim::config {

constexpr auto names(EnumTag<tensor_core::WeightLoad>) {
  using tensor_core::WeightLoad;
  return EnumNames<WeightLoad, 2>{{{"serial", WeightLoad::kSerial}, {"hidden", WeightLoad::kHidden}}};
}

// A rate is "2" or "1/6".
template <>
struct ScalarText<tensor_core::Rate> {
  static constexpr std::string_view kExpected = "a rate such as '2' or '1/6'";
  static constexpr std::string_view kPattern = "^[0-9]+(/[0-9]+)?$";

  static Parsed<tensor_core::Rate> parse(std::string_view text) {
    constexpr std::uint64_t kLargest = 1'000'000;
    const std::size_t slash = text.find('/');
    const auto numerator = parse_unsigned(text.substr(0, slash), kLargest);
    const auto denominator =
        slash == text.npos ? Parsed<std::uint64_t>{1, {}} : parse_unsigned(text.substr(slash + 1), kLargest);
    if (numerator.value.value_or(0) == 0 || denominator.value.value_or(0) == 0) {
      return {std::nullopt, fmt::format("expected {}, got '{}'", kExpected, text.substr(0, 60))};
    }
    return {
        tensor_core::Rate{static_cast<std::uint32_t>(*numerator.value), static_cast<std::uint32_t>(*denominator.value)},
        {}};
  }
  static std::string text(tensor_core::Rate rate) {
    return rate.denominator == 1 ? fmt::format("{}", rate.numerator)
                                 : fmt::format("{}/{}", rate.numerator, rate.denominator);
  }
};

template <class Visitor>
void fields(Visitor& visit, tensor_core::TensorCoreConfig& core) {
  visit("clock", core.clock, "of the matrix and vector units", required);
  visit.section("mxu", "matrix units", [&](auto& mxu) {
    mxu("count", core.mxu_count, "of a TensorCore", required, at_least(1));
    mxu("rows", core.mxu_rows, "of the systolic array", required, at_least(1));
    mxu("columns", core.mxu_columns, "of the systolic array", required, at_least(1));
    mxu("weight_load", core.mxu_weight_load, "whether loading a fold's weights hides behind the fold before");
    mxu("bf16_rate", core.mxu_bf16_rate, "products of a cell in a cycle");
    mxu("s8_rate", core.mxu_s8_rate, "products of a cell in a cycle");
    mxu("f8_rate", core.mxu_f8_rate, "products of a cell in a cycle");
    mxu("f32_rate", core.mxu_f32_rate, "products of a cell in a cycle");
    mxu("weight_rows", core.mxu_weight_rows, "rows of weights loaded into an array in a cycle", at_least(1));
    mxu("sustained", core.mxu_sustained, "share of the peak that products reach for long");
  });
  visit.section("vpu", "vector unit", [&](auto& vpu) {
    vpu("lanes", core.vpu_lanes, "of the vector unit", at_least(1));
    vpu("sublanes", core.vpu_sublanes, "of a lane", at_least(1));
    vpu("alus", core.vpu_alus, "of a sublane", at_least(1));
    vpu("f32_rate", core.vpu_f32_rate, "operations of an ALU in a cycle");
    vpu("bf16_rate", core.vpu_bf16_rate, "operations of an ALU in a cycle");
    vpu("s32_rate", core.vpu_s32_rate, "operations of an ALU in a cycle");
    vpu("s8_rate", core.vpu_s8_rate, "operations of an ALU in a cycle");
  });
  visit("kernel_launch", core.kernel_launch, "from a kernel's call to its first instruction");
  visit("command_queue_depth", core.command_queue_depth, "commands accepted and not yet started, per unit",
        at_least(1));
  visit("command_issue_cycles", core.command_issue_cycles, "before a command's first operation");
  visit("vector_burst", core.vector_burst, "unit of memory access", at_least(ByteSize{4}), at_most(ByteSize{kGiB}));
  visit("outstanding_bursts", core.outstanding_bursts, "on their way in, and on their way out", at_least(1));
  visit.check(core.vector_burst.bytes % 4 == 0, "vector_burst", "must be a multiple of 4 B");
}

}  // namespace podsim::config
