// Compute, DMA and writes that arrive from other chips share the HBM, at both levels.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <queue>
#include <vector>

#include "models/memory/hbm.h"
#include "tests/support/simulation.h"
#include "tests/unit/memory/burst_initiator.h"

namespace podsim::memory {
namespace {

// Has a number of bursts under way at any time, and asks for the next one when one is complete.
struct Requester {
  enum class Kind { kReads, kWrites, kCopies } kind;
  Bytes burst;
  unsigned outstanding;
  Bytes place;

  Bytes moved = 0;
  Picoseconds longest = 0;  // from asking to completion
  Bytes next = 0;
  bool turn = false;
  std::priority_queue<Picoseconds, std::vector<Picoseconds>, std::greater<>> ready{};
};

class HbmSharing : public testing::Simulation {
 protected:
  void share(HbmLevel level, std::vector<Requester>& requesters, Picoseconds until) {
    HbmConfig config;
    config.level = level;
    testing::BurstInitiator initiator("initiator");
    Hbm hbm("hbm", config);
    initiator.socket.bind(hbm.socket);
    run();
    for (Requester& r : requesters) {
      for (unsigned i = 0; i < r.outstanding; ++i) r.ready.push(0);
    }
    for (;;) {
      Requester& r = *std::min_element(requesters.begin(), requesters.end(), [](const auto& one, const auto& other) {
        return one.ready.top() < other.ready.top();
      });
      const Picoseconds now = r.ready.top();
      if (now >= until) return;
      r.ready.pop();
      r.turn = !r.turn;
      const bool write = r.kind == Requester::Kind::kWrites || (r.kind == Requester::Kind::kCopies && r.turn);
      const Address address = r.place + r.next;
      const testing::Answer answer =
          write ? initiator.write(address, r.burst, now, now) : initiator.read(address, r.burst, now);
      r.next += r.burst;
      r.moved += r.burst;
      r.longest = std::max(r.longest, answer.complete - now);
      r.ready.push(answer.complete);
    }
  }

  static void expect_thirds(const std::vector<Requester>& requesters) {
    Bytes sum = 0;
    for (const Requester& r : requesters) sum += r.moved;
    for (const Requester& r : requesters) {
      EXPECT_NEAR(static_cast<double>(r.moved) / static_cast<double>(sum), 1.0 / 3, 0.05);
    }
  }

  // A v5e's 819 GB/s for 20 us are 16 MB.
  std::vector<Requester> three() {
    return {{Requester::Kind::kReads, 32 * kKiB, 4, 0},
            {Requester::Kind::kCopies, 32 * kKiB, 4, kGiB},
            {Requester::Kind::kWrites, 32 * kKiB, 4, 2 * kGiB}};
  }
};

TEST_F(HbmSharing, ThreeThatWantEverythingGetAThirdEachInBulk) {
  auto requesters = three();
  share(HbmLevel::kBulk, requesters, 20'000'000);
  expect_thirds(requesters);
}

TEST_F(HbmSharing, ThreeThatWantEverythingGetAThirdEachInDetail) {
  auto requesters = three();
  share(HbmLevel::kDetailed, requesters, 5'000'000);
  expect_thirds(requesters);
}

// Shares go by what each has under way: one small burst at a time is not much, but it never waits for more than what
// the others had under way when it was asked for, 512 KiB.
TEST_F(HbmSharing, NobodyStarves) {
  std::vector<Requester> requesters{{Requester::Kind::kReads, 64 * kKiB, 4, 0},
                                    {Requester::Kind::kWrites, 64 * kKiB, 4, kGiB},
                                    {Requester::Kind::kReads, 4 * kKiB, 1, 2 * kGiB}};
  share(HbmLevel::kBulk, requesters, 20'000'000);
  const HbmConfig config;
  const double worst = 516 * 1024 / 0.819 / 0.6 + static_cast<double>(config.read_latency.ps);  // at 60 % of the peak
  EXPECT_LE(static_cast<double>(requesters[2].longest), worst);
  EXPECT_GE(requesters[2].moved, 16 * 4 * kKiB);
}

}  // namespace
}  // namespace podsim::memory
