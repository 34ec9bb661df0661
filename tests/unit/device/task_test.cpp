// Tasks, tokens and the core's contexts, on a chip without hardware.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "firmware/device/device.h"
#include "firmware/device/errors.h"
#include "tests/unit/device/register_bus_stub.h"

namespace podsim::firmware {
namespace {

using ::testing::ElementsAre;

class DeviceTasks : public ::testing::Test {
 protected:
  void build(unsigned contexts) {
    device.emplace(ChipId{0}, bus, torus, Resources{.regular_semaphores = 8, .contexts = contexts});
    semaphores = device->allocate().regular_semaphores("go", 8);
  }
  void run(Task program) {
    device->run(std::move(program), [this](std::exception_ptr thrown) {
      ++ends;
      error = thrown;
    });
  }
  // Lets the program that waits for semaphore i go on.
  void go(unsigned i) {
    bus.add(semaphore::register_address(ChipId{0}, semaphores[i].index, semaphore::kValue), 1);
    bus.run();
  }
  // A task that says when it starts and ends, and waits for semaphore i in between.
  Task worker(unsigned i) {
    log.push_back("start " + std::to_string(i));
    co_await device->wait(semaphores[i]);
    log.push_back("end " + std::to_string(i));
  }
  static Task thrower() {
    throw std::runtime_error("oops");
    co_return;
  }

  testing::RegisterBusStub bus;
  ici::TorusShape torus{{{"x", 4, true}}};
  std::optional<Device> device;
  SemaphoreArray<RegularSemaphore> semaphores;
  std::vector<std::string> log;
  unsigned ends = 0;
  std::exception_ptr error;
};

TEST_F(DeviceTasks, ATaskStartsWhenItIsAwaitedAndResumesItsCaller) {
  build(1);
  const auto program = [this]() -> Task {
    Task child = worker(0);
    log.push_back("made");
    co_await child;
    log.push_back("back");
  };
  run(program());
  EXPECT_THAT(log, ElementsAre("made", "start 0"));
  EXPECT_EQ(ends, 0u);
  EXPECT_TRUE(device->running());
  go(0);
  EXPECT_THAT(log, ElementsAre("made", "start 0", "end 0", "back"));
  EXPECT_EQ(ends, 1u);
  EXPECT_FALSE(error);
  EXPECT_FALSE(device->running());
}

TEST_F(DeviceTasks, AProgramThatNeverWaitsEndsWithinRun) {
  build(1);
  const auto program = []() -> Task { co_return; };
  run(program());
  EXPECT_EQ(ends, 1u);
}

TEST_F(DeviceTasks, TasksNestAsDeepAsOneLikes) {
  build(1);
  const std::function<Task(unsigned)> nested = [&](unsigned depth) -> Task {
    if (depth > 0) co_await nested(depth - 1);
    if (depth == 0) co_await device->wait(semaphores[0]);
    log.push_back(std::to_string(depth));
  };
  run(nested(3));
  go(0);
  EXPECT_THAT(log, ElementsAre("0", "1", "2", "3"));
  EXPECT_EQ(ends, 1u);
}

TEST_F(DeviceTasks, AnExceptionComesOutOfTheCallersAwait) {
  build(1);
  const auto program = [this]() -> Task {
    try {
      co_await thrower();
    } catch (const std::runtime_error& caught) {
      log.push_back(caught.what());
    }
  };
  run(program());
  EXPECT_THAT(log, ElementsAre("oops"));
  EXPECT_EQ(ends, 1u);
  EXPECT_FALSE(error) << "it was caught";
}

TEST_F(DeviceTasks, AnExceptionThatNobodyCatchesEndsTheProgramWithIt) {
  build(1);
  const auto program = [this]() -> Task {
    co_await worker(0);
    co_await thrower();
    log.push_back("never");
  };
  run(program());
  go(0);
  EXPECT_EQ(ends, 1u);
  ASSERT_TRUE(error);
  EXPECT_THROW(std::rethrow_exception(error), std::runtime_error);
  EXPECT_THAT(log, ElementsAre("start 0", "end 0"));
}

TEST_F(DeviceTasks, SpawnedTasksRunBesideTheirParent) {
  build(4);
  const auto program = [this]() -> Task {
    Token first = device->spawn(worker(0));
    Token second = device->spawn(worker(1));
    log.push_back(first.done() ? "done" : "running");
    co_await second;
    log.push_back(first.done() ? "done" : "running");
    co_await first;
    log.push_back(first.done() ? "done" : "running");
  };
  run(program());
  EXPECT_THAT(log, ElementsAre("start 0", "start 1", "running"));
  go(1);
  EXPECT_THAT(log, ElementsAre("start 0", "start 1", "running", "end 1", "running"));
  go(0);
  EXPECT_EQ(log.back(), "done");
  EXPECT_EQ(ends, 1u);
}

TEST_F(DeviceTasks, TheProgramEndsWithTheLastTaskThatItSpawned) {
  build(4);
  const auto program = [this]() -> Task {
    device->spawn(worker(0));
    co_return;
  };
  run(program());
  EXPECT_EQ(ends, 0u);
  go(0);
  EXPECT_EQ(ends, 1u);
}

TEST_F(DeviceTasks, ATaskWithoutAFreeContextWaitsForOne) {
  build(2);  // the program and one more
  const auto program = [this]() -> Task {
    std::vector<Token> tokens;
    for (unsigned i = 0; i < 3; ++i) tokens.push_back(device->spawn(worker(i)));
    for (Token& token : tokens) co_await token;
  };
  run(program());
  EXPECT_THAT(log, ElementsAre("start 0"));
  go(0);
  EXPECT_THAT(log, ElementsAre("start 0", "end 0", "start 1")) << "in the order of their launch";
  go(1);
  EXPECT_THAT(log, ElementsAre("start 0", "end 0", "start 1", "end 1", "start 2"));
  go(2);
  EXPECT_EQ(ends, 1u);
}

TEST_F(DeviceTasks, SeveralMayWaitForOneToken) {
  build(4);
  Token token;
  const auto waiter = [&](unsigned i) -> Task {
    co_await token;
    log.push_back("waiter " + std::to_string(i));
  };
  const auto program = [&]() -> Task {
    token = device->spawn(worker(0));
    device->spawn(waiter(1));
    device->spawn(waiter(2));
    co_return;
  };
  run(program());
  go(0);
  EXPECT_THAT(log, ElementsAre("start 0", "end 0", "waiter 1", "waiter 2"));
  EXPECT_EQ(ends, 1u);
}

TEST_F(DeviceTasks, WhatAWaiterCatchesDoesNotEndTheProgram) {
  build(4);
  const auto program = [this]() -> Task {
    Token early = device->spawn(thrower());
    try {
      co_await early;
    } catch (const std::runtime_error&) {
      log.push_back("caught");
    }
  };
  run(program());
  EXPECT_THAT(log, ElementsAre("caught"));
  EXPECT_EQ(ends, 1u);
  EXPECT_FALSE(error);
}

TEST_F(DeviceTasks, WhatNobodyCatchesIsTheProgramsEnd) {
  build(4);
  const auto program = [this]() -> Task {
    Token caught = device->spawn(thrower());
    Token left = device->spawn(thrower());
    try {
      co_await caught;
    } catch (const std::runtime_error&) {
    }
  };
  run(program());
  EXPECT_EQ(ends, 1u);
  ASSERT_TRUE(error);
  EXPECT_THROW(std::rethrow_exception(error), std::runtime_error);
}

// Exposed is from the start of the wait to the token's end, and nothing if that was before.
TEST_F(DeviceTasks, NamedTokensKeepTheirTimes) {
  build(4);
  const auto program = [this]() -> Task {
    Token first = device->spawn(worker(0), "first");
    Token second = device->spawn(worker(1), "second");
    co_await device->wait(semaphores[2]);
    co_await first;
    co_await second;
  };
  bus.time = 100;
  run(program());
  bus.time = 150;
  go(0);  // over before anybody waits for it
  bus.time = 200;
  go(2);
  bus.time = 275;
  go(1);
  const std::vector<TokenTimes> times = device->token_times();
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].name, "first");
  EXPECT_EQ(times[0].issued, 100);
  EXPECT_EQ(times[0].finished, 150);
  EXPECT_EQ(times[0].exposed, 0);
  EXPECT_EQ(times[0].hidden(), 50);
  EXPECT_EQ(times[1].took(), 175);
  EXPECT_EQ(times[1].exposed, 75);
  EXPECT_EQ(times[1].hidden(), 100);
}

TEST_F(DeviceTasks, ATokenRethrowsWhatItsTaskThrew) {
  build(4);
  const auto program = [this]() -> Task {
    Token token = device->spawn(thrower());
    EXPECT_TRUE(token.done());
    EXPECT_THROW(co_await token, std::runtime_error);
    log.push_back("on");
  };
  run(program());
  EXPECT_THAT(log, ElementsAre("on"));
  EXPECT_EQ(ends, 1u);
}

TEST_F(DeviceTasks, ATokenOfNothingIsDone) {
  build(1);
  EXPECT_TRUE(Token().done());
}

TEST_F(DeviceTasks, ManyShortTasksOneAfterTheOther) {
  build(2);
  unsigned ran = 0;
  const auto brief = [&]() -> Task {
    ++ran;
    co_return;
  };
  const auto program = [&]() -> Task {
    for (unsigned i = 0; i < 1000; ++i) {
      Token token = device->spawn(brief());
      EXPECT_TRUE(token.done());
      co_await token;
    }
  };
  run(program());
  EXPECT_EQ(ran, 1000u);
  EXPECT_EQ(ends, 1u);
}

TEST_F(DeviceTasks, ProgramsRunOneAfterTheOther) {
  build(1);
  run(worker(0));
  go(0);
  run(worker(1));
  EXPECT_TRUE(device->running());
  go(1);
  EXPECT_EQ(ends, 2u);
}

// The end of one program may start the next.
TEST_F(DeviceTasks, AProgramMayBeStartedFromTheEndOfAnother) {
  build(1);
  device->run(worker(0), [this](std::exception_ptr) {
    ++ends;
    run(worker(1));
  });
  go(0);
  EXPECT_THAT(log, ElementsAre("start 0", "end 0", "start 1"));
  go(1);
  EXPECT_EQ(ends, 2u);
}

TEST_F(DeviceTasks, AbandonDropsWhatRuns) {
  build(2);
  run(worker(0));
  device->abandon();
  EXPECT_FALSE(device->running());
  EXPECT_EQ(ends, 0u);
}

}  // namespace
}  // namespace podsim::firmware
