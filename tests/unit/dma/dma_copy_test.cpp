// Copies burst by burst: overlap of read, link and write, outstanding bursts, taking turns, semaphores, data, faults.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/dma/dma_bench.h"

namespace podsim::dma {
namespace {

using testing::here;
using testing::Pace;
using testing::semaphore_at;
using testing::there;

using Signals = std::vector<testing::Surroundings::Signal>;

constexpr Address kSend = semaphore_at(testing::kSelf, 8);
constexpr Address kRecvHere = semaphore_at(testing::kSelf, 40);
constexpr Address kRecvThere = semaphore_at(testing::kNeighbour, 40);

class DmaCopy : public testing::DmaBench {
 protected:
  static Descriptor local(Bytes bytes, std::uint64_t tag = 0) {
    return {here(0), here(100'000), bytes, kSend, kRecvHere, tag};
  }
  static Descriptor remote(Bytes bytes, std::uint64_t tag = 0) {
    return {here(0), there(100'000), bytes, kSend, kRecvThere, tag};
  }
  // Bursts that had been read and were not yet done, at most.
  [[nodiscard]] unsigned most_outstanding() const {
    unsigned most = 0;
    for (const auto& at : around->writes) {
      unsigned open = 0;
      for (const auto& each : around->writes) open += each.called <= at.called && each.done > at.called ? 1 : 0;
      most = std::max(most, open);
    }
    return most;
  }
  const Picoseconds b = static_cast<Picoseconds>(kBurst);
};

TEST_F(DmaCopy, ASingleBurstStreamsThroughReadAndWrite) {
  build_all(config());
  doorbell->ring(local(kBurst));
  run();
  const Picoseconds end = kIssue + pace.read_latency + b + pace.write_latency;
  EXPECT_EQ(around->reads.at(0).called, kIssue);
  EXPECT_EQ(around->writes.at(0).called, kIssue) << "passed on as soon as the read has been accepted";
  EXPECT_EQ(done, (Events{{0, end}}));
  EXPECT_EQ(around->signals, (Signals{{kSend, kBurst, end}, {kRecvHere, kBurst, end}}));
}

TEST_F(DmaCopy, TheSlowestStageSetsThePace) {
  Pace slow;
  slow.write_per_byte = 3;
  build_all(config(), slow);
  doorbell->ring(local(20 * kBurst));
  run();
  EXPECT_EQ(done, (Events{{0, kIssue + pace.read_latency + 20 * b * 3 + pace.write_latency}}));
}

TEST_F(DmaCopy, ASlowReadSetsThePaceToo) {
  Pace slow;
  slow.read_per_byte = 3;
  build_all(config(), slow);
  doorbell->ring(local(20 * kBurst));
  run();
  EXPECT_EQ(done, (Events{{0, kIssue + pace.read_latency + 20 * b * 3 + pace.write_latency}}));
}

TEST_F(DmaCopy, ASlowLinkSetsThePaceOfARemoteCopy) {
  build_all(config());
  doorbell->ring(remote(20 * kBurst));
  run();
  const Picoseconds end = kIssue + pace.read_latency + 20 * b * pace.link_per_byte;
  EXPECT_EQ(sent, (Events{{0, end}}));
  EXPECT_TRUE(done.empty());
}

TEST_F(DmaCopy, TheLastBurstIsWhatIsLeft) {
  build_all(config());
  doorbell->ring(local(2 * kBurst + 123));
  run();
  ASSERT_EQ(around->writes.size(), 3u);
  EXPECT_EQ(around->writes[2].bytes, 123u);
  EXPECT_EQ(around->writes[2].address, here(100'000 + 2 * kBurst));
  EXPECT_EQ(around->reads[2].address, here(2 * kBurst));
  EXPECT_EQ(engine->statistics().bursts, 3u);
  EXPECT_EQ(engine->statistics().local_bytes, 2 * kBurst + 123);
}

TEST_F(DmaCopy, WithOneOutstandingBurstNothingOverlaps) {
  DmaConfig one = config();
  one.outstanding_bursts = 1;
  build_all(one);
  doorbell->ring(local(5 * kBurst));
  run();
  EXPECT_EQ(done, (Events{{0, kIssue + 5 * (pace.read_latency + b + pace.write_latency)}}));
  EXPECT_EQ(most_outstanding(), 1u);
}

TEST_F(DmaCopy, OutstandingBurstsAreLimitedAndTheNextReadStartsWhenOneIsDone) {
  DmaConfig two = config();
  two.outstanding_bursts = 2;
  build_all(two);
  doorbell->ring(remote(6 * kBurst));
  run();
  EXPECT_EQ(most_outstanding(), 2u);
  for (std::size_t i = 2; i < 6; ++i) EXPECT_EQ(around->reads.at(i).called, around->writes.at(i - 2).done);
}

TEST_F(DmaCopy, CopiesTakeTurnsBurstByBurst) {
  DmaConfig one = config();
  one.outstanding_bursts = 1;
  one.issue_cost = {0};
  build_all(one);
  Descriptor second = local(4 * kBurst, 1);
  second.source = here(50'000);
  doorbell->ring(local(4 * kBurst));
  doorbell->ring(second);
  run();
  ASSERT_EQ(around->reads.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(around->reads[i].address, here((i % 2 == 0 ? 0 : 50'000) + i / 2 * kBurst));
  }
}

TEST_F(DmaCopy, ASlowLinkHoldsUpNoOtherCopy) {
  build_all(config());
  doorbell->ring(remote(20 * kBurst));
  doorbell->ring(local(4 * kBurst, 1));
  run();
  // By the time that it is issued the remote copy has read its four bursts and waits for the link.
  EXPECT_EQ(done, (Events{{1, 2 * kIssue + pace.read_latency + 4 * b + pace.write_latency}}));
}

TEST_F(DmaCopy, ARemoteCopyCountsItsSendSemaphoreAndLeavesTheOtherToTheTarget) {
  build_all(config());
  doorbell->ring(remote(2 * kBurst));
  run();
  const Picoseconds left = kIssue + pace.read_latency + 2 * b * pace.link_per_byte;
  EXPECT_EQ(around->signals, (Signals{{kSend, 2 * kBurst, left}}));
  EXPECT_EQ(around->notify, (std::vector<Address>{kRecvThere, kRecvThere}));
  EXPECT_EQ(engine->statistics().remote_bytes, 2 * kBurst);
}

TEST_F(DmaCopy, CopiesToAndFromTheHostAreLocalOnes) {
  build_all(config());
  Descriptor out = local(kBurst);
  out.destination = make_address(testing::kSelf, Region::kHost, 0);
  doorbell->ring(out);
  run();
  EXPECT_EQ(engine->statistics().host_bytes, kBurst);
  EXPECT_EQ(done.size(), 1u);
  EXPECT_EQ(around->signals.size(), 2u);
}

TEST_F(DmaCopy, MovesTheBytes) {
  build_all(config(), {}, true);
  std::vector<unsigned char> data(3 * kBurst + 77);
  std::iota(data.begin(), data.end(), 1);
  std::memcpy(around->at(here(0)), data.data(), data.size());
  doorbell->ring(local(data.size()));
  run();
  EXPECT_EQ(std::vector<unsigned char>(around->at(here(100'000)), around->at(here(100'000)) + data.size()), data);
  EXPECT_EQ(payloads.in_flight(), 0u);
}

TEST_F(DmaCopy, ASourceWhereNothingAnswersIsAFaultAndTheCopyEnds) {
  build_all(config());
  Descriptor bad = local(2 * kBurst);
  bad.source = here(testing::kMemoryBytes);
  doorbell->ring(bad);
  run();
  EXPECT_EQ(engine->statistics().faults, 2u);
  EXPECT_EQ(engine->first_fault(), "a DMA of chip 2 reads chip 2 hbm+0x100000: nothing answers there");
  EXPECT_EQ(done.size(), 1u);
  EXPECT_TRUE(engine->idle());
}

TEST_F(DmaCopy, AFaultyRemoteCopyEndsToo) {
  build_all(config());
  Descriptor bad = remote(kBurst);
  bad.source = there(0);  // ICI is push-only
  doorbell->ring(bad);
  run();
  EXPECT_EQ(engine->first_fault(), "a DMA of chip 2 reads chip 3 hbm+0x0: nothing answers there");
  EXPECT_EQ(sent.size(), 1u);
  EXPECT_TRUE(engine->idle());
}

TEST_F(DmaCopy, ADestinationWhereNothingAnswersIsAFault) {
  build_all(config());
  Descriptor bad = local(kBurst);
  bad.destination = here(testing::kMemoryBytes - 1);
  doorbell->ring(bad);
  run();
  EXPECT_EQ(engine->statistics().faults, 1u);
  EXPECT_EQ(engine->first_fault(), "a DMA of chip 2 writes chip 2 hbm+0xfffff: nothing answers there");
  EXPECT_TRUE(engine->idle());
}

TEST_F(DmaCopy, ASemaphoreWhereNothingAnswersIsAFault) {
  build_all(config());
  Descriptor bad = local(kBurst);
  bad.send_semaphore = make_address(testing::kSelf, Region::kDma, 0);
  doorbell->ring(bad);
  run();
  EXPECT_EQ(engine->first_fault(), "a DMA of chip 2 signals chip 2 dma+0x0: nothing answers there");
}

TEST_F(DmaCopy, TransfersAreNumberedFromTheFirst) {
  build_all(config());
  std::vector<std::uint64_t> numbers;
  engine->progress.attach([&](const DmaProgress& progress) {
    if (progress.step == DmaProgress::Step::kQueued) numbers.push_back(progress.transfer);
  });
  doorbell->ring(local(kBurst));
  doorbell->ring(local(kBurst));
  run();
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{100, 101}));
}

}  // namespace
}  // namespace podsim::dma
