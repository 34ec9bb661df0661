#include "platform/module/memory_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/kernel/random.h"

namespace podsim::module {
namespace {

TEST(MemoryPlan, ABufferTakesThePlaceOfOneThatHasEnded) {
  const MemoryPlan plan = plan_memory({{1024, 0, 1}, {1024, 1, 2}, {1024, 2, 3}});
  EXPECT_EQ(plan.offsets[2], plan.offsets[0]);
  EXPECT_EQ(plan.size, 2048u);
  EXPECT_EQ(plan.peak, 2048u);
}

TEST(MemoryPlan, BuffersAreAligned) {
  const MemoryPlan plan = plan_memory({{1, 0, 0}, {1, 0, 0}});
  EXPECT_EQ(plan.offsets[1] % 512, 0u);
  EXPECT_NE(plan.offsets[0], plan.offsets[1]);
  EXPECT_EQ(plan.peak, 2u);
}

TEST(MemoryPlan, NothingTakesNoRoom) {
  EXPECT_EQ(plan_memory({}).size, 0u);
  EXPECT_EQ(plan_memory({{0, 0, 9}}).size, 0u);
}

class RandomLifetimes : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomLifetimes, WhatIsLiveAtTheSameTimeDoesNotOverlap) {
  kernel::Random random(GetParam());
  std::vector<Lifetime> buffers(60);
  for (Lifetime& buffer : buffers) {
    buffer.first = random.below(40);
    buffer.last = buffer.first + random.below(10);
    buffer.bytes = random.below(5000);
  }
  const MemoryPlan plan = plan_memory(buffers);
  Bytes most = 0;
  for (std::size_t slot = 0; slot < 50; ++slot) {
    Bytes live = 0;
    for (const Lifetime& buffer : buffers) live += buffer.first <= slot && slot <= buffer.last ? buffer.bytes : 0;
    most = std::max(most, live);
  }
  EXPECT_EQ(plan.peak, most);
  EXPECT_GE(plan.size, most);
  for (std::size_t a = 0; a < buffers.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const bool together = buffers[a].first <= buffers[b].last && buffers[b].first <= buffers[a].last;
      if (!together || buffers[a].bytes == 0 || buffers[b].bytes == 0) continue;
      EXPECT_TRUE(plan.offsets[a] + buffers[a].bytes <= plan.offsets[b] ||
                  plan.offsets[b] + buffers[b].bytes <= plan.offsets[a]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomLifetimes, ::testing::Range<std::uint64_t>(1, 11));

}  // namespace
}  // namespace podsim::module
