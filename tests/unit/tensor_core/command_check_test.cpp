#include "models/tensor_core/command_check.h"

#include <gtest/gtest.h>

namespace podsim::tensor_core {
namespace {

constexpr ChipId kChip{0};
constexpr Address kHbm = make_address(kChip, Region::kHbm, 0);
constexpr Address kVmem = make_address(kChip, Region::kVmem, 0);

Command add(std::uint64_t count) {
  return {.opcode = Opcode::kAdd, .type = DType::kF32, .a = kHbm, .b = kVmem, .destination = kHbm, .count = count};
}
Command matmul(std::uint32_t m, std::uint32_t k, std::uint32_t n) {
  return {.opcode = Opcode::kMatmul,
          .type = DType::kBf16,
          .a = kHbm,
          .b = kHbm,
          .destination = kVmem,
          .m = m,
          .k = k,
          .n = n};
}

TEST(Command, SurvivesTheRegisters) {
  const Command command{.opcode = Opcode::kMatmul,
                        .type = DType::kS8,
                        .a = 1,
                        .b = 2,
                        .destination = 3,
                        .count = 4,
                        .m = 0xffff'fff5,
                        .k = 0xffff'fff6,
                        .n = 0xffff'fff7,
                        .semaphore = 8,
                        .amount = 9};
  const Command back = Command::from_words(command.words().data());
  EXPECT_EQ(back.words(), command.words());
  EXPECT_EQ(back.opcode, Opcode::kMatmul);
  EXPECT_EQ(back.type, DType::kS8);
  EXPECT_EQ(back.m, 0xffff'fff5);
  EXPECT_EQ(back.k, 0xffff'fff6);
  EXPECT_EQ(back.n, 0xffff'fff7);
  EXPECT_EQ(back.amount, 9u);
}

TEST(CommandCheck, AcceptsGoodCommands) {
  EXPECT_EQ(fault_of(add(0)), nullptr);
  EXPECT_EQ(fault_of(add(1'000'003)), nullptr);
  EXPECT_EQ(fault_of(matmul(0, 5, 7)), nullptr);
  EXPECT_EQ(fault_of(matmul(128, 256, 512)), nullptr);
}

TEST(CommandCheck, NamesTheFault) {
  Command command = add(4);
  command.opcode = static_cast<Opcode>(77);
  EXPECT_STREQ(fault_of(command), "unknown opcode");

  command = add(4);
  command.type = static_cast<DType>(9);
  EXPECT_STREQ(fault_of(command), "unknown number type");

  command = add(4);
  command.b = make_address(kChip, Region::kHost, 0);
  EXPECT_STREQ(fault_of(command), "an operand is neither in HBM nor in VMEM");

  command = add(4);
  command.semaphore = kHbm;
  EXPECT_STREQ(fault_of(command), "the semaphore address is not a semaphore's");

  command = matmul(4, 4, 4);
  command.type = DType::kS32;
  EXPECT_STREQ(fault_of(command), "the matrix unit does not multiply s32");
}

TEST(CommandCheck, SizesThatOverflowAreFaults) {
  const char* const too_big = "an operand runs over the end of its memory region";
  EXPECT_STREQ(fault_of(add(~std::uint64_t{0})), too_big);
  EXPECT_STREQ(fault_of(add(std::uint64_t{1} << 62)), too_big);  // four times this is zero in 64 bits
  EXPECT_STREQ(fault_of(matmul(0xffff'ffff, 0xffff'ffff, 1)), too_big);
  Command at_the_end = add(2);
  at_the_end.destination = make_address(kChip, Region::kHbm, kOffsetMask - 4);
  EXPECT_STREQ(fault_of(at_the_end), too_big);
}

TEST(CommandCheck, AFillReadsNoOperands) {
  const Command command{
      .opcode = Opcode::kFill, .a = 0xffff'ffff'ffff'ffff, .b = ~Address{0}, .destination = kHbm, .count = 8};
  EXPECT_EQ(fault_of(command), nullptr);
}

}  // namespace
}  // namespace podsim::tensor_core
