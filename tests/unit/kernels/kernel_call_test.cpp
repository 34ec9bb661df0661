#include "firmware/kernels/kernel_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace podsim::firmware {
namespace {

using tensor_core::Opcode;
using ::testing::HasSubstr;

struct Refused {
  KernelCall call;
  const char* part;
  const char* says;
};

class RefusedCall : public ::testing::TestWithParam<Refused> {};
TEST_P(RefusedCall, IsToldWhatIsToBlame) {
  const auto fault = check_call(GetParam().call);
  ASSERT_TRUE(fault.has_value());
  EXPECT_STREQ(fault->part, GetParam().part);
  EXPECT_THAT(fault->text, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedCall,
    ::testing::Values(
        Refused{{.m = 0, .k = 8, .n = 8}, "m", "an extent is 0"}, Refused{{.m = 8, .k = 0, .n = 8}, "k", "matmul"},
        Refused{{.kind = KernelKind::kAttention, .m = 8, .k = 8, .n = 8, .heads = 0}, "heads", "attention of nothing"},
        Refused{{.m = 1ull << 32, .k = 1ull << 32, .n = 8}, "m", "more elements than"},
        Refused{{.m = 8, .k = 8, .n = 8, .cores = 0}, "cores", "no TensorCore"},
        Refused{{.m = 8, .k = 8, .n = 8, .buffers = 1}, "buffers", "two buffers"},
        Refused{{.kind = KernelKind::kElementwise, .m = 2, .n = 8}, "m", "one row"},
        Refused{{.kind = KernelKind::kElementwise, .n = 8, .operation = Opcode::kRowSum}, "op", "elementwise"},
        Refused{{.kind = KernelKind::kReduce, .result = DType::kF32, .m = 8, .n = 8, .operation = Opcode::kAdd},
                "op",
                "reduce has no such operation"},
        Refused{{.type = DType::kS32, .result = DType::kS32, .m = 8, .k = 8, .n = 8}, "dtype", "s32"},
        Refused{{.kind = KernelKind::kSoftmax, .type = DType::kS8, .result = DType::kS32, .m = 8, .n = 8},
                "dtype",
                "no meaning for integers"},
        Refused{{.kind = KernelKind::kReduce, .m = 8, .n = 8, .operation = Opcode::kRowSum},
                "out",
                "reduce of bf16 gives f32"},
        Refused{{.type = DType::kS8, .result = DType::kF32, .m = 8, .k = 8, .n = 8}, "out", "integers give integers"}));

TEST(KernelCall, WhatAKernelCanDoIsNotRefused) {
  EXPECT_FALSE(check_call({.m = 8, .k = 8, .n = 8}));
  EXPECT_FALSE(check_call({.type = DType::kS8, .result = DType::kS32, .m = 8, .k = 8, .n = 8}));
  EXPECT_FALSE(check_call({.kind = KernelKind::kReduce,
                           .type = DType::kS8,
                           .result = DType::kS32,
                           .m = 8,
                           .n = 8,
                           .operation = Opcode::kRowMax}));
  EXPECT_FALSE(check_call({.kind = KernelKind::kElementwise, .n = 8}));
}

}  // namespace
}  // namespace podsim::firmware
