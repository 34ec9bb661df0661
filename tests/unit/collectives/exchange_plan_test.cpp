// Plans of pairwise exchanges, on their own: both halves of every step fit each other, and in the end every chip has
// every element reduced over every chip's contribution, each taken once.
#include "firmware/collectives/exchange_plan.h"

#include <gtest/gtest.h>

#include <numeric>

namespace podsim::firmware {
namespace {

using Planner = ExchangePlan (*)(const Group&, std::uint64_t);
using Counts = std::vector<unsigned>;  // how often each chip's contribution is in an element

struct PlanCase {
  const char* name;
  Planner plan;
};

void PrintTo(const PlanCase& each, std::ostream* out) { *out << each.name; }

class ExchangePlans : public ::testing::TestWithParam<PlanCase> {};

void carry_out(const ici::TorusShape& torus, std::uint64_t elements, Planner make) {
  const std::uint32_t chips = torus.chips();
  std::vector<ExchangePlan> plans;
  std::vector<std::vector<Counts>> held(chips, std::vector<Counts>(elements, Counts(chips, 0)));
  for (std::uint32_t c = 0; c < chips; ++c) {
    plans.push_back(make(Group(torus, static_cast<ChipId>(c), {}), elements));
    ASSERT_EQ(plans[c].size(), plans[0].size());
    for (Counts& counts : held[c]) counts[c] = 1;
  }
  for (std::size_t s = 0; s < plans[0].size(); ++s) {
    const auto before = held;
    for (std::uint32_t c = 0; c < chips; ++c) {
      const ExchangeStep& step = plans[c][s];
      ASSERT_EQ(step.action, plans[0][s].action);
      ASSERT_EQ(step.room, plans[0][s].room);
      ASSERT_LE(step.receive.size(), step.room);
      if (step.receive.empty() && step.send.empty()) continue;
      const ExchangeStep& other = plans[index(step.peer)][s];
      ASSERT_EQ(index(other.peer), c);
      ASSERT_EQ(other.send.size(), step.receive.size());
      if (!step.receive.empty()) {
        ASSERT_EQ(other.send.first, step.receive.first);
      }
      for (std::uint64_t e = step.receive.first; e < step.receive.last; ++e) {
        const Counts& arrived = before[index(step.peer)][e];
        if (step.action == ExchangeStep::Action::kReplace) {
          held[c][e] = arrived;
        } else {
          for (std::uint32_t i = 0; i < chips; ++i) held[c][e][i] += arrived[i];
        }
      }
    }
  }
  for (std::uint32_t c = 0; c < chips; ++c) {
    for (const Counts& counts : held[c]) ASSERT_EQ(counts, Counts(chips, 1)) << "chip " << c;
  }
}

TEST_P(ExchangePlans, ReduceEveryElementOverEveryChipOnce) {
  for (std::uint32_t k = 1; k <= 20; ++k) {
    for (const std::uint64_t elements : {1u, 2u, 7u, 33u}) {
      SCOPED_TRACE(k);
      carry_out(ici::TorusShape({{"x", k, true}}), elements, GetParam().plan);
    }
  }
  carry_out(ici::TorusShape({{"x", 32, true}}), 5, GetParam().plan);
  carry_out(ici::TorusShape({{"x", 4, true}, {"y", 8, true}}), 40, GetParam().plan);
  carry_out(ici::TorusShape({{"x", 3, true}, {"y", 5, true}, {"z", 2, true}}), 40, GetParam().plan);
}

INSTANTIATE_TEST_SUITE_P(All, ExchangePlans,
                         ::testing::Values(PlanCase{"recursive_doubling", &plan_recursive_doubling},
                                           PlanCase{"recursive_halving", &plan_recursive_halving},
                                           PlanCase{"swing", &plan_swing},
                                           PlanCase{"swing_halving", &plan_swing_halving}),
                         [](const auto& each) { return each.param.name; });

// De Sensi et al., NSDI 2024, section 3.1: rho(s) = sum_{i=0}^{s} (-2)^i.
TEST(SwingDistance, IsThePapers) {
  const std::int64_t expected[] = {1, -1, 3, -5, 11, -21, 43};
  for (unsigned s = 0; s < std::size(expected); ++s) EXPECT_EQ(swing_distance(s), expected[s]);
}

}  // namespace
}  // namespace podsim::firmware
