// Hazards: small programs with one edge missing, and the same programs with it.
#include "platform/check/hazard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/run/launcher.h"
#include "tests/support/pods.h"

namespace podsim::check {
namespace {

using firmware::Buffer;
using firmware::Device;
using firmware::DType;
using firmware::Task;
using run::LaunchResult;
using run::Outcome;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t kElements = 256;

class Hazards : public ::testing::TestWithParam<bool> {
 protected:
  Hazards() {
    pod = std::make_unique<pod::Pod>(testing::pod_config({{4}}), false);
    launcher = std::make_unique<run::Launcher>(*pod, run::RunOptions{.checks = run::CheckLevel::kAll});
    // A buffer on each chip that holds data from the start.
    for (std::uint32_t i = 0; i < 4; ++i) {
      full = launcher->device(static_cast<ChipId>(i)).allocate().hbm(kElements, DType::kF32);
      launcher->note_written(full);
    }
  }
  // The same place on another chip.
  [[nodiscard]] Buffer filled(const Device& chip) const {
    return {on_chip(full.address, chip.id()), full.elements, full.type};
  }
  void expect_hazard(const LaunchResult& result, const std::string& headline) {
    EXPECT_EQ(result.outcome, Outcome::kHazard);
    EXPECT_THAT(result.explanation, HasSubstr(headline));
    EXPECT_THAT(result.explanation, HasSubstr("hazard_test.cpp"));
  }
  void expect_nothing(const LaunchResult& result) {
    EXPECT_EQ(result.outcome, Outcome::kCompleted) << result.explanation;
    EXPECT_THAT(result.explanation, IsEmpty());
  }

  std::unique_ptr<pod::Pod> pod;
  std::unique_ptr<run::Launcher> launcher;
  Buffer full;
};

// Chip 0 sends to chip 1, which copies what it got. With `waits`, after its arrival.
TEST_P(Hazards, ReadBeforeLanding) {
  const bool waits = GetParam();
  const LaunchResult result = launcher->launch([&](Device& chip) -> Task {
    const auto s = chip.allocate().dma_semaphores("s", 3);
    const Buffer landing = chip.allocate().hbm(kElements, DType::kF32);
    const Buffer out = chip.allocate().hbm(kElements, DType::kF32);
    if (chip.id() == ChipId{0}) {
      co_await chip.start_remote_copy({filled(chip), landing, ChipId{1}, s[0], s[1]}).wait_send();
    } else if (chip.id() == ChipId{1}) {
      if (waits)
        co_await chip.wait(s[1], landing.bytes());
      else
        co_await chip.delay(kPicosecondsPerSecond / 1000);  // long after it has arrived, as it happens
      co_await chip.start_copy(landing, out, s[2]);
      if (!waits) co_await chip.wait(s[1], landing.bytes());
    }
  });
  if (waits) return expect_nothing(result);
  expect_hazard(result, "whose arrival was not waited for");
  EXPECT_THAT(result.explanation, HasSubstr("a wait for semaphore 's[1]' of chip 1 (1)"));
}

// A column is written while the next column is copied: rows that lie between each other, and don't touch. With the
// parameter, the columns are the same.
TEST_P(Hazards, StridedCopiesTouchTheirRowsAndNothingElse) {
  const bool apart = GetParam();
  const LaunchResult result = launcher->launch([&](Device& chip) -> Task {
    const auto s = chip.allocate().dma_semaphores("s", 2);
    const Buffer column = chip.allocate().hbm(16, DType::kF32);
    const firmware::Matrix matrix{filled(chip), 16};
    co_await chip.start_copy(matrix.tile({0, 16}, {3, 4}), column, s[0]);
    const auto out = chip.start_copy(column, matrix.tile({0, 16}, {5, 6}), s[0]);
    const std::uint64_t other = apart ? 6 : 5;
    co_await chip.start_copy(matrix.tile({0, 16}, {other, other + 1}), matrix.tile({0, 16}, {8, 9}), s[1]);
    co_await out;
  });
  if (apart) return expect_nothing(result);
  expect_hazard(result, "whose arrival was not waited for");
  EXPECT_THAT(result.explanation, HasSubstr("hbm+0x14, 4 bytes"));
}

TEST_P(Hazards, RowsBeyondTheBuffer) {
  const bool fits = GetParam();
  const LaunchResult result = launcher->launch([&](Device& chip) -> Task {
    const auto s = chip.allocate().dma_semaphores("s", 1);
    const Buffer block = chip.allocate().hbm(64, DType::kF32);
    const Buffer last = chip.allocate().hbm(kElements, DType::kF32);
    const firmware::Tile tile{last.address, 8, 8, fits ? 32u : 36u, DType::kF32};
    co_await chip.start_copy(filled(chip).slice({0, 64}), block, s[0]);
    co_await chip.start_copy(block, tile, s[0]);
  });
  if (fits) return expect_nothing(result);
  expect_hazard(result, "an access outside of any buffer");
}

// Chip 0 sends twice to the same place of chip 1, the second time after chip 1 has said that it has read the first.
TEST_P(Hazards, CapacitySignal) {
  const bool signals = GetParam();
  const LaunchResult result = launcher->launch([&](Device& chip) -> Task {
    const auto s = chip.allocate().dma_semaphores("s", 4);
    const auto free = chip.allocate().regular_semaphores("free", 1)[0];
    const Buffer slot = chip.allocate().hbm(kElements, DType::kF32);
    const Buffer out = chip.allocate().hbm(kElements, DType::kF32);
    if (chip.id() == ChipId{0}) {
      co_await chip.start_remote_copy({filled(chip), slot, ChipId{1}, s[0], s[1]}).wait_send();
      if (signals) co_await chip.wait(free);
      co_await chip.start_remote_copy({filled(chip), slot, ChipId{1}, s[0], s[2]}).wait_send();
    } else if (chip.id() == ChipId{1}) {
      co_await chip.wait(s[1], slot.bytes());
      co_await chip.start_copy(slot, out, s[3]);
      if (signals) chip.signal(free, ChipId{0});
      co_await chip.wait(s[2], slot.bytes());
    }
  });
  if (signals) return expect_nothing(result);
  EXPECT_EQ(result.outcome, Outcome::kHazard);
}

TEST_P(Hazards, SourceReused) {
  const bool waits = GetParam();
  const LaunchResult result = launcher->launch([&](Device& chip) -> Task {
    const auto s = chip.allocate().dma_semaphores("s", 3);
    const Buffer landing = chip.allocate().hbm(kElements, DType::kF32);
    if (chip.id() == ChipId{2}) {
      const auto copy = chip.start_remote_copy({filled(chip), landing, ChipId{3}, s[0], s[1]});
      if (waits) co_await copy.wait_send();
      co_await chip.start_zero(filled(chip), s[2]);
      if (!waits) co_await copy.wait_send();
    } else if (chip.id() == ChipId{3}) {
      co_await chip.wait(s[1], landing.bytes());
    }
  });
  if (waits) return expect_nothing(result);
  expect_hazard(result, "before its send semaphore");
}

// Knowledge travels with data: chip 0's copy to chip 1 makes chip 1's later signal to chip 2 a proof for chip 2.
TEST_P(Hazards, OrderGoesByWayOfOthers) {
  const bool passes_on = GetParam();
  const LaunchResult result = launcher->launch([&](Device& chip) -> Task {
    const auto s = chip.allocate().dma_semaphores("s", 3);
    const auto go = chip.allocate().regular_semaphores("go", 1)[0];
    const Buffer landing = chip.allocate().hbm(kElements, DType::kF32);
    if (chip.id() == ChipId{0}) {
      co_await chip.start_remote_copy({filled(chip), landing, ChipId{1}, s[0], s[1]}).wait_send();
    } else if (chip.id() == ChipId{1}) {
      if (!passes_on) chip.signal(go, ChipId{2});
      co_await chip.wait(s[1], landing.bytes());
      if (passes_on) chip.signal(go, ChipId{2});
      co_await chip.wait(s[2], landing.bytes());
    } else if (chip.id() == ChipId{2}) {
      co_await chip.wait(go);
      co_await chip.start_remote_copy({filled(chip), landing, ChipId{1}, s[0], s[2]}).wait_send();
    }
  });
  if (passes_on) return expect_nothing(result);
  expect_hazard(result, "two writes to the same place");
}

// What one task has waited for is known to another one only when they meet.
TEST_P(Hazards, TasksOfAChip) {
  const bool joins = GetParam();
  const LaunchResult result = launcher->launch([&](Device& chip) -> Task {
    if (chip.id() != ChipId{0}) co_return;
    const auto s = chip.allocate().dma_semaphores("s", 2);
    const Buffer scratch = chip.allocate().vmem(kElements, DType::kF32);
    const Buffer out = chip.allocate().hbm(kElements, DType::kF32);
    firmware::Token token = chip.spawn([](Device& same, Buffer from, Buffer to, firmware::DmaSemaphore done) -> Task {
      co_await same.start_copy(from, to, done);
    }(chip, filled(chip), scratch, s[0]));
    if (joins)
      co_await token;
    else
      co_await chip.delay(kPicosecondsPerSecond / 1000);
    co_await chip.start_copy(scratch, out, s[1]);
    co_await token;
  });
  if (joins) return expect_nothing(result);
  expect_hazard(result, "whose arrival was not waited for");
  EXPECT_THAT(result.explanation, HasSubstr("an order between two tasks of chip 0 (0)"));
}

TEST_P(Hazards, Uninitialised) {
  const bool writes = GetParam();
  const LaunchResult result = launcher->launch([&](Device& chip) -> Task {
    const auto s = chip.allocate().dma_semaphores("s", 1);
    const Buffer sum = chip.allocate().vmem(kElements, DType::kF32);
    if (writes) co_await chip.start_zero(sum, s[0]);
    co_await chip.start_vector(firmware::Opcode::kAdd, filled(chip), sum, sum, s[0]);
  });
  if (writes) return expect_nothing(result);
  expect_hazard(result, "memory is read that nobody has written");
}

TEST_P(Hazards, OutOfBounds) {
  const bool fits = GetParam();
  const LaunchResult result = launcher->launch([&](Device& chip) -> Task {
    const auto s = chip.allocate().dma_semaphores("s", 1);
    const Buffer out = chip.allocate().hbm(kElements - (fits ? 0 : 1), DType::kF32);
    co_await chip.start_copy(filled(chip), {out.address, kElements, DType::kF32}, s[0]);
  });
  if (fits) return expect_nothing(result);
  expect_hazard(result, "outside of any buffer");
}

INSTANTIATE_TEST_SUITE_P(WithTheEdge, Hazards, ::testing::Bool(),
                         [](const auto& each) { return each.param ? "Correct" : "Missing"; });

}  // namespace
}  // namespace podsim::check
