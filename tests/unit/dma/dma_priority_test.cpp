// Priorities, limits on what is under way, and the cost of completion.
#include <gtest/gtest.h>

#include "tests/unit/dma/dma_bench.h"

namespace podsim::dma {
namespace {

using testing::here;

class DmaPriority : public testing::DmaBench {
 protected:
  static Descriptor copy(std::uint64_t tag, Bytes bytes, Priority priority = Priority::kNormal) {
    return {.source = here(0), .destination = here(100'000), .bytes = bytes, .tag = tag, .priority = priority};
  }
  static Descriptor urgent(std::uint64_t tag, Bytes bytes) { return copy(tag, bytes, Priority::kUrgent); }
  static Descriptor background(std::uint64_t tag, Bytes bytes) { return copy(tag, bytes, Priority::kBackground); }
  [[nodiscard]] std::vector<std::uint64_t> order() const {
    std::vector<std::uint64_t> tags;
    for (const Event& event : started) tags.push_back(event.tag);
    return tags;
  }
  using Tags = std::vector<std::uint64_t>;
};

TEST_F(DmaPriority, AnUrgentCopyOvertakesThoseThatAreQueued) {
  build_all(config());
  for (std::uint64_t i = 0; i < 4; ++i) doorbell->ring(background(i, 10));
  doorbell->ring(copy(10, 10));
  doorbell->ring(urgent(20, 10));
  run();
  EXPECT_EQ(order(), (Tags{0, 20, 10, 1, 2, 3})) << "the first was being issued";
  EXPECT_EQ(started[1].when, 2 * kIssue);
}

TEST_F(DmaPriority, OvertakenOftenEnoughACopyGoesNext) {
  DmaConfig impatient = config();
  impatient.overtakes = 2;
  build_all(impatient);
  for (std::uint64_t i = 0; i < 3; ++i) doorbell->ring(copy(i, 10));
  for (std::uint64_t i = 20; i < 26; ++i) doorbell->ring(urgent(i, 10));
  run();
  EXPECT_EQ(order(), (Tags{0, 20, 21, 1, 22, 23, 2, 24, 25}));
}

TEST_F(DmaPriority, EachPriorityHasAQueueOfItsOwn) {
  DmaConfig small = config();
  small.queue_depth = 2;
  build_all(small);
  EXPECT_TRUE(doorbell->ring(copy(0, 10)));
  EXPECT_TRUE(doorbell->ring(copy(1, 10)));
  EXPECT_TRUE(doorbell->ring(urgent(2, 10)));
  EXPECT_FALSE(doorbell->ring(copy(3, 10)));
  run();
  EXPECT_EQ(order(), (Tags{0, 2, 1, 3}));
  EXPECT_EQ(doorbell->taken_at, (std::vector<Picoseconds>{kIssue}));
}

TEST_F(DmaPriority, UrgentCopiesHaveContextsOfTheirOwn) {
  DmaConfig few = config();
  few.contexts = 1;
  few.urgent_contexts = 1;
  build_all(few);
  doorbell->ring(copy(0, 100 * kBurst));
  doorbell->ring(copy(1, kBurst));
  doorbell->ring(urgent(2, kBurst));
  doorbell->ring(urgent(3, kBurst));
  run();
  EXPECT_EQ(order(), (Tags{0, 2, 3, 1}));
  EXPECT_EQ(started[1].when, 2 * kIssue);
  EXPECT_GT(started[3].when, static_cast<Picoseconds>(100 * kBurst)) << "the other waits for the first to end";
}

TEST_F(DmaPriority, BurstsOfUrgentCopiesGoFirst) {
  DmaConfig one = config();
  one.outstanding_bursts = 1;
  one.engine_outstanding_bursts = 1;
  one.issue_cost = {0};
  build_all(one);
  Descriptor first = copy(0, 4 * kBurst);
  first.source = here(50'000);
  doorbell->ring(first);
  doorbell->ring(urgent(1, 2 * kBurst));
  run();
  std::vector<Bytes> sources;
  for (const auto& read : around->reads) sources.push_back(offset_of(read.address));
  EXPECT_EQ(sources, (std::vector<Bytes>{50'000, 0, 1000, 51'000, 52'000, 53'000}));
}

TEST_F(DmaPriority, AnEnginesBurstsAreLimitedTogether) {
  DmaConfig limited = config();
  limited.engine_outstanding_bursts = 3;
  build_all(limited);
  for (std::uint64_t i = 0; i < 4; ++i) doorbell->ring(copy(i, 10 * kBurst));
  run();
  for (const auto& at : around->writes) {
    unsigned open = 0;
    for (const auto& each : around->writes) open += each.called <= at.called && each.done > at.called ? 1 : 0;
    EXPECT_LE(open, 3u);
  }
  EXPECT_EQ(done.size(), 4u);
}

TEST_F(DmaPriority, BackgroundCopiesPutNoMoreThanOneCopysBurstsAhead) {
  build_all(config());
  for (std::uint64_t i = 0; i < 6; ++i) doorbell->ring(background(i, 20 * kBurst));
  run_until(6 * kIssue + 1);
  doorbell->ring(urgent(9, kBurst));
  run();
  // Issue, what is left of four bursts ahead of it in the memory, and its own.
  ASSERT_EQ(done.front().tag, 9u);
  EXPECT_LE(done.front().when,
            7 * kIssue + 1 + pace.read_latency + 5 * static_cast<Picoseconds>(kBurst) + pace.write_latency);
}

TEST_F(DmaPriority, CopiesOfTheHostAreLimitedInEachDirection) {
  DmaConfig host = config();
  host.host_burst = {500};
  build_all(host);
  for (std::uint64_t i = 0; i < 3; ++i) {
    Descriptor out = copy(i, 5 * kBurst);
    out.destination = make_address(testing::kSelf, Region::kHost, 0);
    doorbell->ring(out);
  }
  run();
  EXPECT_EQ(engine->statistics().bursts, 30u);
  for (const auto& at : around->writes) {
    unsigned open = 0;
    for (const auto& each : around->writes) open += each.called <= at.called && each.done > at.called ? 1 : 0;
    EXPECT_LE(open, 4u);
  }
}

TEST_F(DmaPriority, CompletionCostsAreTheEnginesOneAfterTheOther) {
  constexpr Picoseconds kCost = 7000;
  DmaConfig slow = config();
  slow.completion_cost = {kCost};
  slow.contexts = 2;
  build_all(slow);
  for (std::uint64_t i = 0; i < 3; ++i) doorbell->ring(copy(i, 10));
  run();
  const Picoseconds first = kIssue + pace.read_latency + 10 + pace.write_latency + kCost;
  // The third needs a context: it is issued when the first has been retired.
  EXPECT_EQ(done, (Events{{0, first}, {1, first + kCost}, {2, first + 2 * kCost}}));
  EXPECT_EQ(started[2].when, first + kIssue);
}

}  // namespace
}  // namespace podsim::dma
