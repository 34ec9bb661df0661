#include "models/kernel/event_queue.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/simulation.h"

namespace podsim::kernel {
namespace {

// A timer that calls a function, for tests only.
class Call {
 public:
  Call(EventQueue& queue, std::function<void()> action)
      : action_(std::move(action)), timer(queue, this, &Call::happen) {}

 private:
  void happen() { action_(); }
  std::function<void()> action_;

 public:
  Timer<Call> timer;
};

class EventQueueTest : public testing::Simulation {
 protected:
  // A timer that appends its name and the time to `log`.
  Call& named(const std::string& name) {
    calls_.push_back(
        std::make_unique<Call>(queue, [this, name] { log.push_back(name + "@" + std::to_string(now())); }));
    return *calls_.back();
  }
  std::vector<std::string> log;
  std::vector<std::unique_ptr<Call>> calls_;
};

using Log = std::vector<std::string>;

TEST_F(EventQueueTest, TiesFireInTheOrderOfArming) {
  Call& a = named("a");
  Call& b = named("b");
  Call& c = named("c");
  Call& d = named("d");
  c.timer.arm_at(50);
  a.timer.arm_at(100);
  d.timer.arm_at(100);
  b.timer.arm_at(100);
  EXPECT_EQ(queue.pending(), 4u);
  run();
  EXPECT_EQ(log, (Log{"c@50", "a@100", "d@100", "b@100"}));
  EXPECT_EQ(queue.fired(), 4u);
  EXPECT_EQ(now(), 100);
}

TEST_F(EventQueueTest, TimersArmedDuringDispatchForTheSamePicosecondQueueUpBehind) {
  Call& last = named("last");
  Call& middle = named("middle");
  Call first(queue, [&] {
    log.push_back("first");
    last.timer.arm_at(now());
  });
  first.timer.arm_at(10);
  middle.timer.arm_at(10);
  run();
  EXPECT_EQ(log, (Log{"first", "middle@10", "last@10"}));
}

TEST_F(EventQueueTest, ATimerMayRearmItselfForNow) {
  int left = 5;
  std::optional<Call> call;
  call.emplace(queue, [&] {
    log.push_back(std::to_string(now()));
    if (--left > 0) call->timer.arm_in(left > 2 ? 0 : 7);
  });
  call->timer.arm_at(3);
  run();
  EXPECT_EQ(log, (Log{"3", "3", "3", "10", "17"}));
}

TEST_F(EventQueueTest, ACancelledTimerDoesNotFire) {
  Call& a = named("a");
  Call& b = named("b");
  a.timer.arm_at(10);
  b.timer.arm_at(10);
  EXPECT_TRUE(a.timer.armed());
  a.timer.cancel();
  EXPECT_FALSE(a.timer.armed());
  a.timer.cancel();  // harmless
  run();
  EXPECT_EQ(log, (Log{"b@10"}));
}

TEST_F(EventQueueTest, ATimerMayCancelOneThatIsDueWithIt) {
  Call& victim = named("victim");
  Call killer(queue, [&] { victim.timer.cancel(); });
  killer.timer.arm_at(10);
  victim.timer.arm_at(10);
  run();
  EXPECT_EQ(log, Log{});
}

TEST_F(EventQueueTest, RearmingMovesTheTimerBehindItsEquals) {
  Call& a = named("a");
  Call& b = named("b");
  a.timer.arm_at(10);
  b.timer.arm_at(10);
  a.timer.arm_at(10);
  EXPECT_EQ(queue.pending(), 2u);
  run();
  EXPECT_EQ(log, (Log{"b@10", "a@10"}));
}

TEST_F(EventQueueTest, RearmingEarlierAndLater) {
  Call& a = named("a");
  Call& b = named("b");
  a.timer.arm_at(1000);
  a.timer.arm_at(20);
  EXPECT_EQ(a.timer.due(), 20);
  b.timer.arm_at(5);
  b.timer.arm_at(30);
  run();
  EXPECT_EQ(log, (Log{"a@20", "b@30"}));
}

TEST_F(EventQueueTest, TimeStopsAtTheLastRealEvent) {
  Call& real = named("real");
  Call& cancelled = named("cancelled");
  real.timer.arm_at(100);
  cancelled.timer.arm_at(900'000);
  cancelled.timer.cancel();  // before anything runs
  run();
  EXPECT_EQ(now(), 100);

  Call& later = named("later");
  Call killer(queue, [&] { later.timer.cancel(); });
  later.timer.arm_in(900'000);
  killer.timer.arm_in(50);  // cancels from within a dispatch
  run();
  EXPECT_EQ(now(), 150);
}

TEST_F(EventQueueTest, CancellingTheEarliestLetsTheNextOneComeAtItsTime) {
  Call& early = named("early");
  Call& next = named("next");
  early.timer.arm_at(10);
  next.timer.arm_at(4'000);
  early.timer.cancel();
  run();
  EXPECT_EQ(log, (Log{"next@4000"}));
}

TEST_F(EventQueueTest, DestroyingAnArmedTimerCancelsIt) {
  Call& stays = named("stays");
  {
    Call& goes = named("goes");
    goes.timer.arm_at(20);
    stays.timer.arm_at(20);
    calls_.pop_back();
  }
  EXPECT_EQ(queue.pending(), 1u);
  run();
  EXPECT_EQ(log, (Log{"stays@20"}));
}

TEST_F(EventQueueTest, ATimerMayDestroyAnotherDueWithIt) {
  Call killer(queue, [&] { calls_.clear(); });
  killer.timer.arm_at(10);
  named("victim").timer.arm_at(10);
  named("victim too").timer.arm_at(10);
  run();
  EXPECT_EQ(log, Log{});
}

TEST_F(EventQueueTest, ThePastIsRefused) {
  Call& timer = named("timer");
  Call late(queue, [&] { EXPECT_THROW(timer.timer.arm_at(now() - 1), std::logic_error); });
  late.timer.arm_at(10);
  run();
  EXPECT_EQ(log, Log{});
  EXPECT_FALSE(timer.timer.armed());
}

TEST_F(EventQueueTest, TheWatcherSeesEveryDispatchedPicosecond) {
  std::vector<std::pair<Picoseconds, std::uint64_t>> seen;
  queue.set_watcher([](void* context, Picoseconds time,
                       std::uint64_t fired) { static_cast<decltype(seen)*>(context)->emplace_back(time, fired); },
                    &seen);
  named("a").timer.arm_at(5);
  named("b").timer.arm_at(5);
  named("c").timer.arm_at(9);
  run();
  EXPECT_EQ(seen, (decltype(seen){{5, 2}, {9, 3}}));
}

TEST_F(EventQueueTest, RunUntilLeavesLaterTimersArmed) {
  Call& a = named("a");
  a.timer.arm_at(1000);
  run_until(600);
  EXPECT_EQ(now(), 600);
  EXPECT_EQ(log, Log{});
  // Armed at a time when no timer has fired yet.
  named("b").timer.arm_in(0);
  named("c").timer.arm_in(100);
  run();
  EXPECT_EQ(log, (Log{"b@600", "c@700", "a@1000"}));
}

// Many more distinct times at once than any table of theirs could start with, in an order that is not theirs.
TEST_F(EventQueueTest, AHundredThousandPendingTimers) {
  constexpr Picoseconds kCount = 100'000;
  Picoseconds fired = 0;
  Picoseconds previous = -1;
  for (Picoseconds i = 0; i < kCount; ++i) {
    calls_.push_back(std::make_unique<Call>(queue, [&] {
      EXPECT_GT(now(), previous);
      previous = now();
      ++fired;
    }));
    calls_.back()->timer.arm_at(i * 7'919 % kCount * 1'000 + 1);  // a prime: a permutation of 0 .. kCount-1
  }
  run();
  EXPECT_EQ(fired, kCount);
  EXPECT_EQ(now(), (kCount - 1) * 1'000 + 1);
}

// 1e5 random operations from within the simulation, against a std::multimap, which keeps equal times in order of
// arming.
TEST_F(EventQueueTest, DoesWhatAMultimapDoes) {
  std::mt19937_64 random(1);
  std::multimap<Picoseconds, std::size_t> model;
  std::vector<std::unique_ptr<Call>> timers;
  int operations = 0;

  const auto forget = [&](std::size_t i) {
    const auto [from, to] = model.equal_range(timers[i]->timer.due());
    model.erase(std::find_if(from, to, [&](const auto& item) { return item.second == i; }));
  };
  const auto operate = [&] {
    const std::size_t i = random() % timers.size();
    if (timers[i]->timer.armed()) forget(i);
    if (random() % 4 == 0) {
      timers[i]->timer.cancel();
    } else {
      const Picoseconds when =
          now() + static_cast<Picoseconds>(random() % 3 == 0 ? random() % 2 * 500 : random() % 100'000);
      timers[i]->timer.arm_at(when);
      model.emplace(when, i);
    }
    ++operations;
  };
  for (std::size_t i = 0; i < 200; ++i) {
    timers.push_back(std::make_unique<Call>(queue, [&, i] {
      ASSERT_FALSE(model.empty());
      ASSERT_EQ(model.begin()->first, now());
      ASSERT_EQ(model.begin()->second, i);
      model.erase(model.begin());
      for (int n = 0; n < 3 && operations < 100'000; ++n) operate();
    }));
  }
  while (operations < 200) operate();
  // Operations between runs too, where the kernel already waits for a time.
  while (operations < 100'000) {
    run_until(now() + static_cast<Picoseconds>(random() % 20'000));
    ASSERT_TRUE(model.empty() || model.begin()->first >= now());
    for (int n = 0; n < 20; ++n) operate();
    ASSERT_EQ(queue.pending(), model.size());
  }
  run();
  EXPECT_TRUE(model.empty());
  EXPECT_EQ(queue.pending(), 0u);
}

// An ordinary SystemC thread beside the queue.
struct Thread : sc_core::sc_module {
  EventQueue& queue;
  std::function<void(Picoseconds)> at_each_step;
  Thread(sc_core::sc_module_name name, EventQueue& events) : sc_module(name), queue(events) {
    SC_HAS_PROCESS(Thread);
    SC_THREAD(run);
  }
  void run() {
    for (int i = 0; i < 10; ++i) {
      at_each_step(static_cast<Picoseconds>(sc_core::sc_time_stamp().value()));
      wait(100, sc_core::SC_PS);
    }
  }
};

TEST_F(EventQueueTest, AThreadInTheSameSimulationSeesTheSameTimes) {
  Thread thread("thread", queue);
  thread.at_each_step = [&](Picoseconds time) {
    EXPECT_EQ(queue.now(), time);
    log.push_back("thread@" + std::to_string(time));
    if (time == 300) named("armed by the thread").timer.arm_in(50);
    if (time == 400) named("at once").timer.arm_in(0);
  };
  std::optional<Call> ticker;
  ticker.emplace(queue, [&] {
    EXPECT_EQ(static_cast<Picoseconds>(sc_core::sc_time_stamp().value()), queue.now());
    log.push_back("timer@" + std::to_string(now()));
    if (now() < 400) ticker->timer.arm_in(150);
  });
  ticker->timer.arm_at(75);
  run();
  EXPECT_EQ(log, (Log{"thread@0", "timer@75", "thread@100", "thread@200", "timer@225", "thread@300",
                      "armed by the thread@350", "timer@375", "thread@400", "at once@400", "thread@500", "timer@525",
                      "thread@600", "thread@700", "thread@800", "thread@900"}));
}

TEST_F(EventQueueTest, AThreadMayCancelWhatTheKernelWaitsFor) {
  Thread thread("thread", queue);
  Call& victim = named("victim");
  Call& other = named("other");
  victim.timer.arm_at(450);
  other.timer.arm_at(470);
  thread.at_each_step = [&](Picoseconds time) {
    if (time == 400) victim.timer.cancel();
    if (time == 500) other.timer.arm_at(10'000);
    if (time == 600) other.timer.cancel();
  };
  run();
  EXPECT_EQ(log, (Log{"other@470"}));
  EXPECT_EQ(now(), 1000) << "a cancelled timer kept time running";
}

TEST(EventQueue, TimersMayOutliveTheQueue) {
  struct Nothing {
    void happen() {}
  } nothing;
  std::optional<Timer<Nothing>> timer;
  {
    EventQueue queue("queue");
    timer.emplace(queue, &nothing, &Nothing::happen);
    timer->arm_at(10);
  }
  EXPECT_FALSE(timer->armed());
}

}  // namespace
}  // namespace podsim::kernel
