// Memory and semaphores that a chip hands out: places, names, and what it says when there is no more.
#include "firmware/device/allocator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "firmware/device/errors.h"

namespace podsim::firmware {
namespace {

constexpr ChipId kChip{5};

Resources resources() {
  return {.hbm = 4096,
          .vmem = 1024,
          .dma_semaphores = 8,
          .regular_semaphores = 4,
          .barrier_semaphores = 2,
          .host = 2048,
          .host_base = 8192};
}

template <class Error, class Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Allocator, BuffersAreAlignedAndDoNotOverlap) {
  Allocator allocator(kChip, resources());
  const Buffer first = allocator.hbm(1, DType::kS8);
  const Buffer second = allocator.hbm(129, DType::kF32);
  const Buffer third = allocator.hbm(256, DType::kBf16);
  EXPECT_EQ(first.address, make_address(kChip, Region::kHbm, 0));
  EXPECT_EQ(second.address, make_address(kChip, Region::kHbm, 512));
  EXPECT_EQ(third.address, make_address(kChip, Region::kHbm, 512 + 1024));
  EXPECT_EQ(second.bytes(), 516u);
  EXPECT_EQ(third.bytes(), 512u);
}

TEST(Allocator, MemoriesAreApartAndTheHostsPartHasABase) {
  Allocator allocator(kChip, resources());
  EXPECT_EQ(allocator.vmem(4, DType::kF32).address, make_address(kChip, Region::kVmem, 0));
  EXPECT_EQ(allocator.host(4, DType::kF32).address, make_address(kChip, Region::kHost, 8192));
  EXPECT_EQ(allocator.host(4, DType::kF32).address, make_address(kChip, Region::kHost, 8192 + 512));
  EXPECT_EQ(allocator.hbm(4, DType::kF32).address, make_address(kChip, Region::kHbm, 0));
}

TEST(Allocator, ABufferOfNothingTakesNoRoom) {
  Allocator allocator(kChip, resources());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(allocator.hbm(0, DType::kF32).bytes(), 0u);
  EXPECT_EQ(allocator.hbm(1024, DType::kF32).bytes(), 4096u);
}

TEST(Allocator, SaysWhatDoesNotFitAndWhatIsFree) {
  Allocator allocator(kChip, resources());
  allocator.hbm(128, DType::kF32);
  EXPECT_EQ(refusal<OutOfResources>([&] { allocator.hbm(1000, DType::kF32); }),
            "1000 elements of 4 bytes do not fit into HBM: 3584 of 4096 bytes are free");
  EXPECT_EQ(refusal<OutOfResources>([&] { allocator.vmem(1025, DType::kS8); }),
            "1025 elements of 1 bytes do not fit into VMEM: 1024 of 1024 bytes are free");
  EXPECT_THAT(refusal<OutOfResources>([&] { allocator.host(1025, DType::kBf16); }),
              ::testing::HasSubstr("host memory"));
  EXPECT_EQ(allocator.hbm(3584, DType::kS8).address, make_address(kChip, Region::kHbm, 512)) << "nothing was taken";
}

TEST(Allocator, ASizeThatOverflowsDoesNotFit) {
  Allocator allocator(kChip, resources());
  for (const std::uint64_t elements :
       {std::numeric_limits<std::uint64_t>::max(), (std::uint64_t{1} << 62) + 1, std::uint64_t{1} << 63}) {
    EXPECT_NE(refusal<OutOfResources>([&] { allocator.hbm(elements, DType::kF32); }), "nothing");
  }
}

TEST(Allocator, SemaphoresOfAKindAreNumberedOneAfterTheOther) {
  Allocator allocator(kChip, resources());
  const auto send = allocator.dma_semaphores("send", 3);
  const auto recv = allocator.dma_semaphores("recv", 2);
  const auto room = allocator.regular_semaphores("room", 4);
  EXPECT_EQ(send[0].index, 0u);
  EXPECT_EQ(send[2].index, 2u);
  EXPECT_EQ(recv[0].index, 3u);
  EXPECT_EQ(room[0].index, 8u);
  EXPECT_EQ(room[3].index, 11u);
  EXPECT_EQ(allocator.barrier_semaphore(0).index, 12u);
  EXPECT_EQ(allocator.barrier_semaphore(1).index, 13u);
}

TEST(Allocator, NamesItsSemaphores) {
  Allocator allocator(kChip, resources());
  allocator.dma_semaphores("send", 3);
  const auto one = allocator.regular_semaphores("room", 1);
  EXPECT_EQ(allocator.name_of({2}), "send[2]");
  EXPECT_EQ(allocator.name_of(one[0]), "room");
  EXPECT_EQ(allocator.name_of({13}), "barrier[1]");
  EXPECT_EQ(allocator.name_of({5}), "#5") << "given to nobody";
}

TEST(Allocator, SaysWhichSemaphoresThereAreNotEnoughOf) {
  Allocator allocator(kChip, resources());
  allocator.dma_semaphores("first", 6);
  EXPECT_EQ(refusal<OutOfResources>([&] { allocator.dma_semaphores("recv", 3); }),
            "3 DMA semaphores wanted for 'recv', 2 of 8 are free");
  EXPECT_EQ(refusal<OutOfResources>([&] { allocator.regular_semaphores("room", (std::uint64_t{1} << 32) + 1); }),
            "4294967297 REGULAR semaphores wanted for 'room', 4 of 4 are free");
  EXPECT_EQ(refusal<std::out_of_range>([&] { (void)allocator.barrier_semaphore(2); }),
            "collective_id 2: the chip has 2 barrier semaphores");
}

TEST(Allocator, ResetGivesEverythingBack) {
  Allocator allocator(kChip, resources());
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(allocator.hbm(1024, DType::kF32).address, make_address(kChip, Region::kHbm, 0));
    EXPECT_EQ(allocator.dma_semaphores("all", 8)[0].index, 0u);
    EXPECT_EQ(allocator.regular_semaphores("all", 4)[0].index, 8u);
    allocator.reset();
    EXPECT_EQ(allocator.name_of({0}), "#0");
  }
}

TEST(Allocator, KnowsItsBuffersToTheByte) {
  Allocator allocator(kChip, {.hbm = kMiB});
  const Buffer odd = allocator.hbm(5, DType::kF32);
  const Buffer none = allocator.hbm(0, DType::kF32);
  const Buffer next = allocator.hbm(8, DType::kF32);
  EXPECT_TRUE(allocator.holds(odd.address, 20));
  EXPECT_TRUE(allocator.holds(odd.address + 4, 16));
  EXPECT_FALSE(allocator.holds(odd.address, 21));  // though nothing else lies there
  EXPECT_FALSE(allocator.holds(odd.address + 20, 4));
  EXPECT_EQ(none.address, next.address);
  EXPECT_TRUE(allocator.holds(next.address, 32));
  EXPECT_FALSE(allocator.holds(next.address + 512, 4));
}

TEST(Allocator, SharesAreTheSameWhicheverAreUsed) {
  const Resources resources{.hbm = kMiB, .vmem = kMiB, .dma_semaphores = 64, .regular_semaphores = 8};
  Allocator all(kChip, resources), some(kChip, resources);
  for (Allocator* each : {&all, &some}) {
    (void)each->hbm(100, DType::kF32);
    each->split(4);
  }
  for (const unsigned share : {0u, 1u, 3u, 2u}) {
    all.use_share(share);
    (void)all.dma_semaphores("s", 3);
  }
  all.use_share(3);
  some.use_share(3);
  (void)some.dma_semaphores("s", 3);
  EXPECT_EQ(all.hbm(10, DType::kF32).address, some.hbm(10, DType::kF32).address);
  EXPECT_EQ(all.dma_semaphores("t", 1).first, some.dma_semaphores("t", 1).first);
  EXPECT_THROW((void)some.dma_semaphores("too many", 13), OutOfResources);
  EXPECT_THROW((void)some.regular_semaphores("too many", 3), OutOfResources);
  const Buffer first = some.vmem(10, DType::kF32);
  some.reuse_memory();
  EXPECT_EQ(some.vmem(10, DType::kF32).address, first.address);
}

TEST(Buffer, ShardsTileABufferAndDifferByAtMostOneElement) {
  for (const std::uint64_t elements : {0u, 1u, 7u, 64u, 1000u}) {
    const Buffer buffer{make_address(kChip, Region::kHbm, 4096), elements, DType::kBf16};
    for (std::uint64_t n = 1; n < 20; ++n) {
      Address next = buffer.address;
      for (std::uint64_t i = 0; i < n; ++i) {
        const Buffer shard = buffer.shard(i, n);
        EXPECT_EQ(shard.address, next);
        EXPECT_GE(shard.elements, elements / n);
        EXPECT_LE(shard.elements, elements / n + 1);
        next += shard.bytes();
      }
      EXPECT_EQ(next, buffer.address + buffer.bytes());
    }
  }
}

}  // namespace
}  // namespace podsim::firmware
