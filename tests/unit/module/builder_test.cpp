#include "firmware/module/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "platform/pod/pod.h"
#include "tests/support/pods.h"

namespace podsim::firmware {
namespace {

using ::testing::HasSubstr;
using Kind = Slot::Kind;

class ModuleBuilderTest : public ::testing::Test {
 protected:
  std::string complaint(const std::function<void(ModuleBuilder&)>& what) const {
    ModuleBuilder builder("test", torus_);
    try {
      what(builder);
    } catch (const ModuleError& error) {
      return error.what();
    }
    return "accepted";
  }

  const ici::TorusShape torus_ = pod::torus_shape(testing::pod_config({{4, 2}}));
  const ici::Axis x_ = static_cast<ici::Axis>(0);
};

TEST_F(ModuleBuilderTest, ShapesFollowFromTheOperands) {
  ModuleBuilder b("test", torus_);
  const Value a = b.parameter("a", {{2, 8, 16}, DType::kBf16});
  const Value w = b.parameter("w", {{4, 32}, DType::kBf16});
  const Value whole = b.all_gather("whole", w, 0, {x_});
  EXPECT_EQ(to_string(b.shape(whole)), "bf16[16, 32]");
  EXPECT_EQ(to_string(b.shape(b.matmul("product", a, whole))), "bf16[2, 8, 32]");
  EXPECT_EQ(to_string(b.shape(b.reduce_scatter("scattered", whole, 1, {}))), "bf16[16, 4]");
  EXPECT_EQ(to_string(b.shape(b.all_to_all("turned", whole, 1, 0, {x_}))), "bf16[64, 8]");
  EXPECT_EQ(to_string(b.shape(b.slice(whole, 1, 4))), "bf16[4, 32]");
  EXPECT_EQ(to_string(b.shape(b.concat("both", {w, a}))), "bf16[384]");
}

TEST_F(ModuleBuilderTest, ATransferIsWaitedForRightBeforeItsFirstUser) {
  ModuleBuilder b("test", torus_);
  const Value a = b.parameter("a", {{8, 8}, DType::kBf16});
  const Value sum = b.all_reduce("sum", a, {});
  const Value other = b.matmul("other", a, a);
  b.elementwise("both", tensor_core::Opcode::kAdd, other, sum);
  const Module module = b.finish();
  EXPECT_EQ(module.written, (Order{{Kind::kStart, 1}, {Kind::kRun, 2}, {Kind::kDone, 1}, {Kind::kRun, 3}}));
}

TEST_F(ModuleBuilderTest, ATransferThatNobodyUsesIsWaitedForAtTheEnd) {
  ModuleBuilder b("test", torus_);
  const Value a = b.parameter("a", {{8, 8}, DType::kBf16});
  b.all_reduce("sum", a, {});
  b.matmul("other", a, a);
  EXPECT_EQ(b.finish().written, (Order{{Kind::kStart, 1}, {Kind::kRun, 2}, {Kind::kDone, 1}}));
}

TEST_F(ModuleBuilderTest, SynchronousAndExplicitWaits) {
  ModuleBuilder b("test", torus_);
  const Value a = b.parameter("a", {{8, 8}, DType::kBf16});
  b.all_reduce("one", a, {});
  b.synchronous();
  const Value two = b.all_reduce("two", a, {});
  b.matmul("other", a, a);
  b.wait(two);
  b.matmul("another", a, a);
  EXPECT_EQ(
      b.finish().written,
      (Order{
          {Kind::kStart, 1}, {Kind::kDone, 1}, {Kind::kStart, 2}, {Kind::kRun, 3}, {Kind::kDone, 2}, {Kind::kRun, 4}}));
}

TEST_F(ModuleBuilderTest, WhatComesAfterATransferWaitsForIt) {
  ModuleBuilder b("test", torus_);
  const Value a = b.parameter("a", {{8, 8}, DType::kBf16});
  const Value sum = b.all_reduce("sum", a, {});
  b.set({.after = {sum}});
  b.matmul("later", a, a);
  const Module module = b.finish();
  EXPECT_EQ(module.written, (Order{{Kind::kStart, 1}, {Kind::kDone, 1}, {Kind::kRun, 2}}));
  EXPECT_EQ(module.instructions[2].after, std::vector<std::size_t>{1});
}

TEST_F(ModuleBuilderTest, AttributesAreThoseOfAllInstructionsUntilOthersAreSet) {
  ModuleBuilder b("test", torus_);
  const Value a = b.parameter("a", {{8, 8}, DType::kBf16});
  b.set({.after = {b.matmul("first", a, a)}, .chips = std::vector<bool>(8, false), .written_at = "run.yaml:7"});
  b.all_reduce("sum", b.matmul("product", a, a), {});
  b.set({});
  b.matmul("last", a, a);
  const Module module = b.finish();
  for (const std::size_t i : {2u, 3u}) {
    EXPECT_EQ(module.instructions[i].after, std::vector<std::size_t>{1}) << module.instructions[i].name;
    EXPECT_EQ(module.instructions[i].written_at, "run.yaml:7");
    EXPECT_FALSE(module.instructions[i].executed_by(ChipId{0}));
  }
  EXPECT_TRUE(module.instructions[4].after.empty());
  EXPECT_TRUE(module.instructions[4].executed_by(ChipId{0}));
}

// Sums of rows have the type that they are summed in, as the vector unit writes them.
TEST_F(ModuleBuilderTest, AReduceGivesTheTypeOfItsSums) {
  ModuleBuilder b("test", torus_);
  const auto reduced = [&](const char* name, DType type) {
    const Value of = b.parameter(std::string(name) + " of", {{8, 16}, type});
    return to_string(b.shape(b.reduce(name, tensor_core::Opcode::kRowSum, of)));
  };
  EXPECT_EQ(reduced("a", DType::kBf16), "f32[8]");
  EXPECT_EQ(reduced("b", DType::kF8), "f32[8]");
  EXPECT_EQ(reduced("c", DType::kS8), "s32[8]");
  EXPECT_EQ(reduced("d", DType::kS32), "s32[8]");
}

TEST_F(ModuleBuilderTest, ACopyBackIsAsPinnedAsTheCopyOut) {
  ModuleBuilder b("test", torus_);
  b.host_in("back", b.host_out("out", b.parameter("a", {{8}, DType::kBf16}), /*pinned=*/false));
  EXPECT_FALSE(std::get<HostTransfer>(b.finish().instructions[2].work).pinned);
}

TEST_F(ModuleBuilderTest, APermuteGoesRoundTheAxis) {
  ModuleBuilder b("test", torus_);
  b.permute("next", b.parameter("a", {{8}, DType::kBf16}), x_, 1);
  const auto pairs = std::get<CollectiveCall>(b.finish().instructions[1].work).pairs;
  EXPECT_THAT(pairs, ::testing::Contains(std::pair(ChipId{3}, ChipId{0})));
  EXPECT_THAT(pairs, ::testing::Contains(std::pair(ChipId{4}, ChipId{5})));
  EXPECT_EQ(pairs.size(), 8u);
}

TEST_F(ModuleBuilderTest, SaysWhatDoesNotFit) {
  const auto parameter = [](ModuleBuilder& b, const char* name, std::vector<std::uint64_t> dims) {
    return b.parameter(name, {std::move(dims), DType::kBf16});
  };
  EXPECT_THAT(complaint([&](ModuleBuilder& b) {
                b.matmul("y", parameter(b, "a", {4, 5}), parameter(b, "b", {4, 5}));
              }),
              HasSubstr("y: a product of bf16[4, 5] and bf16[4, 5]"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) { b.reduce_scatter("y", parameter(b, "a", {6}), 0, {x_}); }),
              HasSubstr("y: dimension 0 of bf16[6] can't be cut into 4 equal parts"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) { b.all_gather("y", parameter(b, "a", {6}), 1, {x_}); }),
              HasSubstr("y: there is no dimension 1 in bf16[6]"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) { b.host_in("y", parameter(b, "a", {6})); }),
              HasSubstr("y: fetches something that is not on the host"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) { parameter(b, "a", {6}), parameter(b, "a", {6}); }),
              HasSubstr("a: there is another instruction of that name"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) {
                (void)b.reshape(parameter(b, "a", {6}), {{5}, DType::kBf16});
              }),
              HasSubstr("a: can't be taken for bf16[5]: it is bf16[6]"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) { (void)b.slice(parameter(b, "a", {6}), 0, 4); }),
              HasSubstr("a: bf16[6] can't be cut into 4 equal parts"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) { (void)b.slice(parameter(b, "a", {6}), 0, 0); }),
              HasSubstr("part 0 of 0"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) {
                parameter(b, "a", {6, 0});
              }),
              HasSubstr("a: bf16[6, 0] has no elements"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) {
                parameter(b, "a", {1ull << 40, 1ull << 40});
              }),
              HasSubstr("more than any chip could hold"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) { b.concat("y", {}); }), HasSubstr("y: joins nothing"));
}

TEST_F(ModuleBuilderTest, RefusesWhatNoKernelCanDo) {
  const auto of = [](ModuleBuilder& b, DType type) { return b.parameter("a", {{8, 8}, type}); };
  EXPECT_THAT(complaint([&](ModuleBuilder& b) { b.softmax("y", of(b, DType::kS8)); }),
              HasSubstr("y: softmax has no meaning for integers"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) {
                const Value a = of(b, DType::kS32);
                b.matmul("y", a, a);
              }),
              HasSubstr("y: the matrix units don't multiply s32"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) {
                const Value a = of(b, DType::kBf16);
                b.matmul("y", a, a, DType::kS32);
              }),
              HasSubstr("y: integers give integers, and others don't"));
  EXPECT_THAT(complaint([&](ModuleBuilder& b) {
                const Value a = of(b, DType::kBf16);
                b.elementwise("y", tensor_core::Opcode::kRowMax, a, a);
              }),
              HasSubstr("y: elementwise has no such operation"));
}

}  // namespace
}  // namespace podsim::firmware
