#include "platform/schedule/scheduler.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "models/kernel/random.h"

namespace podsim::schedule {
namespace {

using Kind = Slot::Kind;

Node work(Picoseconds duration, std::vector<std::size_t> needs = {}, Bytes result = 0) {
  return {std::move(needs), false, duration, 0, result};
}
Node transfer(Picoseconds duration, std::vector<std::size_t> needs = {}, Channels channels = 1, Bytes result = 0) {
  return {std::move(needs), true, duration, channels, result};
}

// In the order of the nodes, each transfer waited for right before what needs it first.
Order as_listed(const Problem& problem) {
  Order order;
  std::vector<bool> waited(problem.nodes.size());
  const auto wait = [&](std::size_t i) {
    if (!problem.nodes[i].transfer || waited[i]) return;
    waited[i] = true;
    order.push_back({Kind::kDone, i});
  };
  for (std::size_t i = 0; i < problem.nodes.size(); ++i) {
    for (const std::size_t need : problem.nodes[i].needs) wait(need);
    order.push_back({problem.nodes[i].transfer ? Kind::kStart : Kind::kRun, i});
  }
  for (std::size_t i = 0; i < problem.nodes.size(); ++i) wait(i);
  return order;
}

Problem random_problem(std::uint64_t seed, std::size_t size) {
  kernel::Random random(seed);
  Problem problem;
  problem.start_cost = static_cast<Picoseconds>(random.below(3));
  problem.done_cost = static_cast<Picoseconds>(random.below(3));
  if (random.one_in(2)) problem.in_flight = 1 + static_cast<unsigned>(random.below(3));
  for (std::size_t i = 0; i < size; ++i) {
    Node node = random.one_in(2) ? work(static_cast<Picoseconds>(random.below(100)))
                                 : transfer(static_cast<Picoseconds>(random.below(150)), {},
                                            1u << random.below(2) | (random.one_in(4) ? 2u : 0u));
    node.result = random.below(10);
    for (std::size_t need = 0; need < i; ++need) {
      if (random.one_in(3)) node.needs.push_back(need);
    }
    problem.nodes.push_back(std::move(node));
  }
  return problem;
}

// Whether some order takes less than `limit`: all orders, but for beginnings that can't come to that any more.
class Exhaustive {
 public:
  Exhaustive(const Problem& problem, Picoseconds limit) : problem_(problem), limit_(limit) {}

  bool beaten() { return search(); }

 private:
  // The time that a beginning takes, with all that was started waited for.
  std::optional<Picoseconds> least_total() const {
    Picoseconds time = 0, left = 0;
    std::vector<Picoseconds> finish(problem_.nodes.size());
    Picoseconds free[32] = {};
    std::vector<int> state(problem_.nodes.size());
    for (const Slot& slot : order_) {
      const Node& node = problem_.nodes[slot.instruction];
      if (slot.kind == Kind::kRun) time += node.duration;
      if (slot.kind == Kind::kStart) {
        time += problem_.start_cost;
        Picoseconds begin = time;
        for (int c = 0; c < 32; ++c) {
          if ((node.channels >> c & 1u) != 0) begin = std::max(begin, free[c]);
        }
        finish[slot.instruction] = begin + node.duration;
        for (int c = 0; c < 32; ++c) {
          if ((node.channels >> c & 1u) != 0) free[c] = begin + node.duration;
        }
      }
      if (slot.kind == Kind::kDone) time = std::max(time, finish[slot.instruction]) + problem_.done_cost;
      state[slot.instruction] = slot.kind == Kind::kStart ? 1 : 2;
    }
    for (std::size_t i = 0; i < problem_.nodes.size(); ++i) {
      if (state[i] == 0)
        left += problem_.nodes[i].transfer ? problem_.start_cost + problem_.done_cost : problem_.nodes[i].duration;
      if (state[i] == 1) left += problem_.done_cost;
    }
    return time + left;
  }

  bool search() {
    if (*least_total() >= limit_) return false;
    std::vector<int> state(problem_.nodes.size());
    unsigned in_flight = 0;
    for (const Slot& slot : order_) {
      state[slot.instruction] = slot.kind == Kind::kStart ? 1 : 2;
      in_flight += slot.kind == Kind::kStart ? 1 : 0;
      in_flight -= slot.kind == Kind::kDone ? 1 : 0;
    }
    bool complete = true;
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (state[i] == 2) continue;
      complete = false;
      const Node& node = problem_.nodes[i];
      if (state[i] == 0) {
        bool ready = !node.transfer || in_flight < problem_.in_flight;
        for (const std::size_t need : node.needs) ready = ready && state[need] == 2;
        if (!ready) continue;
      }
      order_.push_back({state[i] == 1 ? Kind::kDone : node.transfer ? Kind::kStart : Kind::kRun, i});
      const bool found = search();
      order_.pop_back();
      if (found) return true;
    }
    return complete && predict(problem_, order_).total < limit_ && keeps_limits(problem_, order_);
  }

  const Problem& problem_;
  const Picoseconds limit_;
  Order order_;
};

TEST(Scheduler, ATransferGoesOnBesideTheProgram) {
  const Problem problem{.nodes = {transfer(100), work(60), work(10, {0})}, .start_cost = 2, .done_cost = 3};
  const Order order{{Kind::kStart, 0}, {Kind::kRun, 1}, {Kind::kDone, 0}, {Kind::kRun, 2}};
  const Timeline timeline = predict(problem, order);
  EXPECT_EQ(timeline.slots[1].begin, 2);
  EXPECT_EQ(timeline.slots[2].begin, 62);
  EXPECT_EQ(timeline.slots[2].end, 102 + 3);
  EXPECT_EQ(timeline.total, 115);
}

TEST(Scheduler, TransfersShareTheirChannels) {
  const Problem problem{.nodes = {transfer(100, {}, 1), transfer(50, {}, 2), transfer(30, {}, 3)}};
  const Order order{{Kind::kStart, 0}, {Kind::kStart, 1}, {Kind::kStart, 2},
                    {Kind::kDone, 0},  {Kind::kDone, 1},  {Kind::kDone, 2}};
  const Timeline timeline = predict(problem, order);
  EXPECT_EQ(timeline.transfers[1].end, 50);
  EXPECT_EQ(timeline.transfers[2].begin, 100);
  EXPECT_EQ(timeline.total, 130);
}

TEST(Scheduler, MemoryIsHeldUntilTheLastUserHasEnded) {
  const Problem problem{.nodes = {work(1, {}, 100), work(1, {0}, 10), work(1, {0}, 1), work(1, {1, 2}, 5)}};
  EXPECT_EQ(predict(problem, as_listed(problem)).peak, 111u);
  const Problem chain{.nodes = {work(1, {}, 100), work(1, {0}, 10), work(1, {1}, 50)}};
  EXPECT_EQ(predict(chain, as_listed(chain)).peak, 110u);
}

TEST(Scheduler, SaysWhatIsWrongWithAnOrder) {
  const Problem problem{.nodes = {transfer(1), work(1, {0})}};
  EXPECT_THROW((void)predict(problem, {{Kind::kStart, 0}, {Kind::kRun, 1}, {Kind::kDone, 0}}), BadOrder);
  EXPECT_THROW((void)predict(problem, {{Kind::kDone, 0}}), BadOrder);
  EXPECT_THROW((void)predict(problem, {{Kind::kRun, 0}}), BadOrder);
  EXPECT_THROW((void)predict(problem, {{Kind::kStart, 0}, {Kind::kDone, 0}}), BadOrder);
  EXPECT_NO_THROW((void)predict(problem, as_listed(problem)));
}

TEST(Scheduler, SynchronousWaitsAtOnce) {
  const Problem problem{.nodes = {transfer(100), work(60), work(10, {0})}};
  const Order order = synchronous(problem, as_listed(problem));
  EXPECT_EQ(order, (Order{{Kind::kStart, 0}, {Kind::kDone, 0}, {Kind::kRun, 1}, {Kind::kRun, 2}}));
  EXPECT_EQ(predict(problem, order).total, 170);
}

TEST(Scheduler, HidesATransferBehindWorkThatComesLater) {
  // As written, the gradient of layer 2 is reduced before layer 1 is computed.
  const Problem problem{.nodes = {work(100), transfer(80, {0}), work(10, {1}), work(100), work(5, {2, 3})}};
  EXPECT_EQ(predict(problem, as_listed(problem)).total, 295);
  EXPECT_EQ(predict(problem, latency_hiding(problem, as_listed(problem))).total, 100 + 100 + 10 + 5);
}

TEST(Scheduler, StartsTheMoreUrgentOfTwoTransfersFirst) {
  const Problem problem{.nodes = {transfer(50), transfer(50), work(100, {1}), work(1, {0, 2})}};
  EXPECT_EQ(predict(problem, latency_hiding(problem, as_listed(problem))).total, 151);
}

TEST(Scheduler, KeepsWithinMemoryAndTheLimitOnTransfers) {
  Problem problem;
  for (std::size_t i = 0; i < 4; ++i) {
    problem.nodes.push_back(transfer(10, {}, 1u << i, 100));
    problem.nodes.push_back(work(10, {2 * i}, 1));
  }
  problem.memory = 250;
  const Order two = latency_hiding(problem, as_listed(problem));
  EXPECT_TRUE(keeps_limits(problem, two));
  EXPECT_LT(predict(problem, two).total, 80);
  problem.memory = ~Bytes{0};
  problem.in_flight = 1;
  EXPECT_TRUE(keeps_limits(problem, latency_hiding(problem, as_listed(problem))));
}

// As written it is faster, with more transfers under way than there may be.
TEST(Scheduler, AFasterOrderThatBreaksALimitIsNotTaken) {
  Problem problem{.nodes = {transfer(50, {}, 1), transfer(50, {}, 2), work(50), work(1, {0, 1, 2})}};
  problem.in_flight = 1;
  const Order written{{Kind::kStart, 0}, {Kind::kStart, 1}, {Kind::kRun, 2},
                      {Kind::kDone, 0},  {Kind::kDone, 1},  {Kind::kRun, 3}};
  ASSERT_FALSE(keeps_limits(problem, written));
  const Order found = latency_hiding(problem, written);
  EXPECT_TRUE(keeps_limits(problem, found));
  EXPECT_GT(predict(problem, found).total, predict(problem, written).total);
}

// Parameters are there from the beginning: nothing waits for them, and what comes before them is no work.
TEST(Scheduler, AParameterIsNoReasonForAGap) {
  const Problem problem{.nodes = {work(0), work(0), transfer(80, {0}), work(30), work(10, {2, 3})}};
  const std::vector<Gap> gaps = explain_gaps(problem, as_listed(problem));
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].start, Gap::Reason::kEnd);
}

TEST(Scheduler, SaysWhyAGapIsNotWider) {
  const Problem problem{.nodes = {work(100), transfer(80, {0}), work(30), work(10, {1, 2})}};
  const Order order = latency_hiding(problem, as_listed(problem));
  const std::vector<Gap> gaps = explain_gaps(problem, order);
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].transfer, 1u);
  EXPECT_EQ(gaps[0].work, 30);
  EXPECT_EQ(gaps[0].duration, 80);
  EXPECT_EQ(gaps[0].start, Gap::Reason::kNeeds);
  EXPECT_EQ(gaps[0].start_after, 0u);
  EXPECT_EQ(gaps[0].done, Gap::Reason::kNeeds);
  EXPECT_EQ(gaps[0].done_before, 3u);
}

TEST(Scheduler, SaysThatALimitStandsInTheWay) {
  Problem problem{.nodes = {transfer(50, {}, 1), transfer(50, {}, 2), work(50), work(1, {0, 1, 2})}};
  problem.in_flight = 1;
  const Order order{{Kind::kStart, 0}, {Kind::kRun, 2},  {Kind::kDone, 0},
                    {Kind::kStart, 1}, {Kind::kDone, 1}, {Kind::kRun, 3}};
  EXPECT_EQ(explain_gaps(problem, order)[1].start, Gap::Reason::kLimit);
}

class RandomGraph : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomGraph, DependenciesAndLimitsHoldAndNothingGetsLonger) {
  for (const std::size_t size : {1u, 5u, 20u, 70u}) {
    const Problem problem = random_problem(GetParam() * 10 + size, size);
    const Order written = as_listed(problem);
    const Order order = latency_hiding(problem, written);
    const Timeline timeline = predict(problem, order);  // throws where a dependency is broken
    for (const Order& other : {written, synchronous(problem, written)}) {
      if (!keeps_limits(problem, other)) continue;
      EXPECT_LE(timeline.total, predict(problem, other).total);
    }
    EXPECT_TRUE(keeps_limits(problem, order) || order == written);
    EXPECT_EQ(explain_gaps(problem, order).size(), explain_gaps(problem, written).size());
  }
}

TEST_P(RandomGraph, NoOrderIsFivePerCentBetter) {
  for (std::size_t size = 2; size <= 9; ++size) {
    const Problem problem = random_problem(GetParam() * 100 + size, size);
    const Order order = latency_hiding(problem, as_listed(problem));
    const Picoseconds total = predict(problem, order).total;
    const Picoseconds limit = (total * 100 + 104) / 105;
    EXPECT_FALSE(Exhaustive(problem, limit).beaten()) << "size " << size << ", found " << total;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraph, ::testing::Range<std::uint64_t>(1, 26));

}  // namespace
}  // namespace podsim::schedule
