// Runs that go wrong, each in its own way, and what podsim says of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "firmware/device/errors.h"
#include "platform/check/program_point.h"
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
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class Explanations : public ::testing::Test {
 protected:
  void build(const testing::Shape& shape, run::CheckLevel checks = run::CheckLevel::kAll) {
    pod = std::make_unique<pod::Pod>(testing::pod_config(shape), false);
    launcher = std::make_unique<run::Launcher>(*pod, run::RunOptions{.checks = checks});
  }
  LaunchResult launch(const std::function<Task(Device&)>& program, Picoseconds limit = kPicosecondsPerSecond) {
    return launcher->launch(program, limit);
  }
  std::unique_ptr<pod::Pod> pod;
  std::unique_ptr<run::Launcher> launcher;
};

// The facts that say who waits where; the others say who is missing.
std::vector<std::string> waits(const LaunchResult& result) {
  std::vector<std::string> waits;
  std::copy_if(result.details.begin(), result.details.end(), std::back_inserter(waits),
               [](const std::string& fact) { return fact.find(" waits at ") != std::string::npos; });
  return waits;
}

Task wait_for_nobody(Device& chip) {
  const auto never = chip.allocate().regular_semaphores("never", 2);
  if (index(chip.id()) == 1) chip.signal(never[1], chip.id(), 2);
  co_await chip.wait(never[1], 3);
}
constexpr unsigned kWaitLine = __LINE__ - 2;

TEST_F(Explanations, ADeadlockNamesChipsLineAndSemaphore) {
  build({{4, 2}});
  const LaunchResult result = launch(wait_for_nobody);
  EXPECT_EQ(result.outcome, Outcome::kDeadlock);
  EXPECT_THAT(result.explanation, HasSubstr("8 of 8 chips have not ended their program"));
  EXPECT_THAT(result.explanation, HasSubstr("0 (0,0), 1 (1,0)"));
  EXPECT_THAT(result.explanation, HasSubstr("and 2 more"));
  EXPECT_THAT(result.explanation,
              HasSubstr("explanations_test.cpp:" + std::to_string(kWaitLine) + " (wait_for_nobody)"));
  EXPECT_THAT(result.explanation, HasSubstr("'never[1]'"));
  EXPECT_THAT(result.explanation, HasSubstr("to hold 3"));
  EXPECT_THAT(waits(result), SizeIs(8));
  EXPECT_THAT(result.details, Contains(HasSubstr("missing: 'never[1]' of chip 1: 1 more wanted")));
  EXPECT_THAT(waits(result), Each(AllOf(HasSubstr("never[1]"), HasSubstr("to hold 3"))));
  EXPECT_THAT(result.details[1], HasSubstr("chip 1 (1,0)"));
  EXPECT_THAT(result.details[1], HasSubstr("it holds 2"));
  EXPECT_THAT(result.details[2], HasSubstr("it holds 0"));
}

TEST_F(Explanations, OnlyTheChipsThatAreStuckAreNamed) {
  build({{4}});
  const LaunchResult result = launch([](Device& chip) -> Task {
    const auto never = chip.allocate().regular_semaphores("never", 1)[0];
    if (index(chip.id()) == 2) co_await chip.wait(never);
  });
  EXPECT_EQ(result.outcome, Outcome::kDeadlock);
  EXPECT_THAT(result.explanation, HasSubstr("1 of 4 chips"));
  EXPECT_THAT(waits(result), ElementsAre(HasSubstr("chip 2 (2)")));
}

TEST_F(Explanations, ManyPlacesStayOnOneScreen) {
  build({{32}});
  const LaunchResult result = launch([](Device& chip) -> Task {
    const auto never = chip.allocate().regular_semaphores("never", 1)[0];
    // A line of its own for each chip, as far as the checker can tell.
    co_await chip.wait(never, index(chip.id()) + 1);
  });
  EXPECT_EQ(result.outcome, Outcome::kDeadlock);
  EXPECT_LT(std::count(result.explanation.begin(), result.explanation.end(), '\n'), 45);
  EXPECT_THAT(waits(result), SizeIs(32));
}

TEST_F(Explanations, OutOfTimeIsNoDeadlock) {
  build({{2}});
  const LaunchResult result = launch([](Device& chip) -> Task { co_await chip.delay(2 * kPicosecondsPerMicrosecond); },
                                     kPicosecondsPerMicrosecond);
  EXPECT_EQ(result.outcome, Outcome::kTimeLimit);
  EXPECT_THAT(result.explanation, HasSubstr("the time limit has been reached"));
  EXPECT_EQ(result.time, kPicosecondsPerMicrosecond);
}

TEST_F(Explanations, LeftOverSemaphoresAreFoundOnEveryChipAndNamed) {
  build({{4}});
  const LaunchResult result = launch([](Device& chip) -> Task {
    const auto extra = chip.allocate().regular_semaphores("extra", 3);
    chip.signal(extra[2], static_cast<ChipId>((index(chip.id()) + 1) % 4), 5);
    if (index(chip.id()) == 3) co_await chip.wait(extra[2], 5);
  });
  EXPECT_EQ(result.outcome, Outcome::kSemaphoreLeftOver);
  EXPECT_THAT(result.details, ElementsAre("chip 0 (0): 'extra[2]' holds 5", "chip 1 (1): 'extra[2]' holds 5",
                                          "chip 2 (2): 'extra[2]' holds 5"));
  EXPECT_THAT(result.explanation, HasSubstr(result.details[0]));
}

TEST_F(Explanations, ACopyFromBeyondTheMemoryIsAHazard) {
  build({{4}}, run::CheckLevel::kNone);  // the memory itself refuses
  const LaunchResult result = launch([](Device& chip) -> Task {
    const auto done = chip.allocate().dma_semaphores("done", 1)[0];
    const Buffer good = chip.allocate().hbm(1024, DType::kS8);
    Buffer bad = good;
    bad.address += kOffsetMask / 2;
    if (index(chip.id()) == 1) co_await chip.start_copy(bad, good, done);
  });
  EXPECT_EQ(result.outcome, Outcome::kHazard);
  EXPECT_THAT(result.details,
              ElementsAre(AllOf(HasSubstr("chip 1 (1)"), HasSubstr("a DMA of chip 1 reads chip 1 hbm+0x"))));
  EXPECT_THAT(result.explanation, HasSubstr("hazard"));
}

TEST_F(Explanations, ARemoteCopyFromOrToBeyondTheMemoryIsAHazard) {
  build({{4}}, run::CheckLevel::kNone);
  const LaunchResult result = launch([](Device& chip) -> Task {
    const auto semaphores = chip.allocate().dma_semaphores("copy", 2);
    Buffer good = chip.allocate().hbm(1024, DType::kS8);
    Buffer bad = good;
    bad.address += kOffsetMask / 2;
    if (index(chip.id()) == 0) {
      co_await chip.start_remote_copy({bad, good, ChipId{1}, semaphores[0], semaphores[1]}).wait_send();
    }
    if (index(chip.id()) == 2) {
      co_await chip.start_remote_copy({good, bad, ChipId{3}, semaphores[0], semaphores[1]}).wait_send();
    }
  });
  EXPECT_EQ(result.outcome, Outcome::kHazard);
  EXPECT_THAT(result.details, ElementsAre(AllOf(HasSubstr("chip 0 (0)"), HasSubstr("reads")),
                                          AllOf(HasSubstr("chip 3 (3)"), HasSubstr("1 writes from other chips"))));
}

TEST_F(Explanations, AGoodRunSaysNothing) {
  build({{4}});
  const LaunchResult result = launch([](Device& chip) -> Task { co_await chip.delay(1000); });
  EXPECT_EQ(result.outcome, Outcome::kCompleted);
  EXPECT_EQ(result.explanation, "");
  EXPECT_THAT(result.details, SizeIs(0));
  EXPECT_EQ(result.time, 1000);
}

TEST_F(Explanations, WhatAProgramThrowsComesOut) {
  build({{2}});
  EXPECT_THROW(launch([](Device& chip) -> Task {
                 chip.signal(chip.allocate().regular_semaphores("some", 1)[0], ChipId{2});
                 co_return;
               }),
               firmware::ProgramError);
}

TEST(ProgramPoint, IsFileLineAndBareName) {
  const std::string text = point_text(std::source_location::current());
  EXPECT_THAT(text, HasSubstr("explanations_test.cpp:"));
  EXPECT_THAT(text, HasSubstr("(TestBody)"));
  EXPECT_THAT(text, Not(HasSubstr("podsim::")));
}

}  // namespace
}  // namespace podsim::check
