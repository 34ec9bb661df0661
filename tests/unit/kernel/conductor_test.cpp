#include "models/kernel/conductor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/kernel/event_queue.h"
#include "models/kernel/local_time.h"

namespace podsim::kernel {
namespace {

constexpr Picoseconds kLatency = 1'000;
constexpr std::size_t kChips = 8;

class Chip;
using Chips = std::vector<std::unique_ptr<Chip>>;

// A chip that does things of its own and sends to others. What it does next depends on what has happened to it so far,
// and in which order.
class Chip {
 public:
  Chip(Conductor& conductor, Chips& chips, std::uint8_t number)
      : queue(conductor), start_(conductor.now()), chips_(chips), number_(number), random_(number) {
    for (unsigned i = 0; i < 3; ++i) work_.push_back(std::make_unique<Timer<Chip>>(queue, this, &Chip::work));
    for (std::uint8_t sender = 0; sender < kChips; ++sender) links_.push_back(std::make_unique<Link>(*this, sender));
  }
  void begin() {
    for (auto& timer : work_) timer->arm_in(below(3) * 100);
  }

  EventQueue queue;
  std::string log;

 private:
  // What one of the others sends to this chip, in order.
  struct Link {
    Link(Chip& chip, std::uint8_t sender) : owner(chip), timer(chip.queue, this, &Link::arrive, sender) {}
    void send(Picoseconds when) {
      under_way.push_back(under_way.empty() ? when : std::max(when, under_way.back()));
      if (!timer.armed()) timer.arm_at(under_way.front());
    }
    void arrive() {
      while (!under_way.empty() && under_way.front() <= owner.queue.now()) {
        under_way.erase(under_way.begin());
        owner.note("arrival");
      }
      if (!under_way.empty()) timer.arm_at(under_way.front());
    }
    Chip& owner;
    std::vector<Picoseconds> under_way;
    Timer<Link> timer;
  };

  Picoseconds below(std::uint64_t n) { return static_cast<Picoseconds>((random_() ^ history_) % n); }
  void note(const char* what) {
    EXPECT_EQ(local_time(), queue.now());
    log += what + std::to_string(queue.now() - start_) + ' ';
    history_ = history_ * 31 + static_cast<std::uint64_t>(what[0]);
  }
  void work() {
    note("work");
    if (++done_ > 300) return;
    for (auto& timer : work_) {  // ties, and work for this very moment; now and then something is put off
      if (!timer->armed() || below(8) == 0) timer->arm_in(below(4) * 100);
    }
    Chip& other = *chips_[static_cast<std::size_t>(below(kChips))];
    if (&other != this && below(2) == 0) other.links_[number_]->send(queue.now() + kLatency + below(3) * 100);
  }

  const Picoseconds start_;
  Chips& chips_;
  const std::uint8_t number_;
  std::mt19937_64 random_;
  std::uint64_t history_ = 1;
  unsigned done_ = 0;
  std::vector<std::unique_ptr<Timer<Chip>>> work_;
  std::vector<std::unique_ptr<Link>> links_;
};

void simulate() { sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS), sc_core::SC_EXIT_ON_STARVATION); }

// What each chip did when, and when all was over.
std::string story(Conductor& conductor, Picoseconds lookahead) {
  conductor.run_ahead(lookahead);
  const Picoseconds start = conductor.now();
  const std::uint64_t fired = conductor.fired();
  Chips chips;
  for (std::uint8_t i = 0; i < kChips; ++i) chips.push_back(std::make_unique<Chip>(conductor, chips, i));
  for (auto& chip : chips) chip->begin();
  simulate();
  EXPECT_EQ(conductor.pending(), 0u);
  std::string all;
  for (auto& chip : chips) all += chip->log + '\n';
  return all + std::to_string(conductor.now() - start) + ' ' + std::to_string(conductor.fired() - fired);
}

TEST(Conductor, QueuesThatRunAheadDoTheSameAtTheSameTimes) {
  Conductor conductor("conductor");
  const std::string in_order = story(conductor, 0);
  EXPECT_GT(in_order.size(), 10'000u);
  EXPECT_NE(in_order.find("arrival"), std::string::npos);
  for (const Picoseconds lookahead : {Picoseconds{1}, kLatency / 3, kLatency}) {
    EXPECT_EQ(story(conductor, lookahead), in_order) << lookahead;
  }
}

struct Step {
  std::function<void()> action;
  Timer<Step> timer;
  Step(EventQueue& queue, std::function<void()> what, std::uint8_t rank = TimerBase::kNoRank)
      : action(std::move(what)), timer(queue, this, &Step::happen, rank) {}
  void happen() { action(); }
};

TEST(Conductor, ActingOnAnotherQueueWithinTheLookaheadIsRefused) {
  Conductor conductor("conductor");
  EventQueue one(conductor);
  EventQueue other(conductor);
  conductor.run_ahead(kLatency);
  Step far(other, [] {});
  Step near(one, [&] {
    far.timer.arm_at(one.now() + kLatency);
    EXPECT_THROW(far.timer.arm_at(one.now() + kLatency - 1), std::logic_error);
  });
  near.timer.arm_at(10);
  simulate();
  EXPECT_EQ(conductor.fired(), 1u);
}

TEST(Conductor, AQueueRunsAheadOfSystemCByLessThanTheLookahead) {
  Conductor conductor("conductor");
  EventQueue queue(conductor);
  conductor.run_ahead(kLatency);
  std::vector<std::pair<Picoseconds, Picoseconds>> seen;  // the queue's time, SystemC's
  const auto see = [&] { seen.emplace_back(queue.now(), static_cast<Picoseconds>(sc_core::sc_time_stamp().value())); };
  Step first(queue, see), last_ahead(queue, see), behind(queue, see);
  first.timer.arm_at(10);
  last_ahead.timer.arm_at(10 + kLatency - 1);
  behind.timer.arm_at(10 + kLatency);
  simulate();
  EXPECT_EQ(seen, (std::vector<std::pair<Picoseconds, Picoseconds>>{
                      {10, 10}, {10 + kLatency - 1, 10}, {10 + kLatency, 10 + kLatency}}));
}

TEST(Conductor, SystemCsTimeCatchesUpInTheEnd) {
  Conductor conductor("conductor");
  EventQueue queue(conductor);
  conductor.run_ahead(kLatency);
  Step first(queue, [] {}), last(queue, [] {});
  first.timer.arm_at(10);
  last.timer.arm_at(700);
  simulate();
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 700u);
}

TEST(Conductor, NothingRunsAheadPastTheEnd) {
  Conductor conductor("conductor");
  EventQueue queue(conductor);
  conductor.run_ahead(kLatency);
  conductor.run_ahead_until(500);
  Step first(queue, [] {}), last(queue, [] {}), too_late(queue, [] {});
  first.timer.arm_at(10);
  last.timer.arm_at(500);
  too_late.timer.arm_at(501);
  sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS));
  EXPECT_EQ(conductor.fired(), 2u);
  EXPECT_TRUE(too_late.timer.armed());
}

TEST(Conductor, WhatHasARankComesFirstInBothOrders) {
  Conductor conductor("conductor");
  EventQueue queue(conductor);
  for (const Picoseconds lookahead : {Picoseconds{0}, kLatency}) {
    conductor.run_ahead(lookahead);
    std::string log;
    Step plain(queue, [&] { log += "plain "; });
    Step third(
        queue, [&] { log += "3 "; }, 3);
    Step first(
        queue, [&] { log += "1 "; }, 1);
    const Picoseconds when = conductor.now() + 100;
    plain.timer.arm_at(when);
    third.timer.arm_at(when);
    first.timer.arm_at(when);
    simulate();
    EXPECT_EQ(log, "1 3 plain ") << lookahead;
  }
}

}  // namespace
}  // namespace podsim::kernel
