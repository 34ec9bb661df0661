// What a wait proves, for signals that can't be told apart.
#include "platform/check/semaphore_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace podsim::check {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Ledger : public ::testing::Test {
 protected:
  // Chip `chip` raises semaphore 5 of chip 0, having seen `seen` of itself (component = chip).
  void raise(unsigned chip, std::uint64_t amount, std::uint32_t seen, std::optional<OperationId> operation = {}) {
    auto clock = std::make_shared<VectorClock>();
    clock->set(chip, seen);
    Contribution contribution;
    contribution.amount = amount;
    contribution.chip = static_cast<ChipId>(chip);
    contribution.clock = std::move(clock);
    contribution.operation = operation;
    ledger.raise(ChipId{0}, 5, std::move(contribution));
  }
  std::vector<std::uint32_t> wait(std::uint64_t amount) {
    knowledge = ledger.wait(ChipId{0}, 5, amount);
    return {knowledge.clock[0], knowledge.clock[1], knowledge.clock[2], knowledge.clock[3]};
  }
  [[nodiscard]] std::vector<OperationId> over() const {
    std::vector<OperationId> ids;
    for (const Contribution& each : knowledge.over) ids.push_back(*each.operation);
    return ids;
  }

  SemaphoreLedger ledger{4};
  SemaphoreLedger::Knowledge knowledge;
};

TEST_F(Ledger, AWaitForAllProvesAll) {
  raise(1, 1, 7);
  raise(2, 1, 9);
  EXPECT_THAT(wait(2), ElementsAre(0, 7, 9, 0));
}

TEST_F(Ledger, OneOfTwoSignallersProvesNeither) {
  raise(1, 1, 7);
  raise(2, 1, 9);
  EXPECT_THAT(wait(1), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(wait(1), ElementsAre(0, 7, 9, 0));
}

TEST_F(Ledger, SignalsOfOneTaskProveAsManyAsWereWaitedFor) {
  for (std::uint32_t seen = 1; seen <= 4; ++seen) raise(1, 1, seen);
  EXPECT_THAT(wait(1), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(wait(2), ElementsAre(0, 3, 0, 0));
  EXPECT_THAT(wait(1), ElementsAre(0, 4, 0, 0));
}

TEST_F(Ledger, TwoOfThreeSignallersProveTheLeastOfWhatAnyTwoHaveSeen) {
  raise(1, 1, 3);
  raise(1, 1, 5);
  raise(2, 1, 9);
  // The two may be {3, 5}, {3, 9} or {5, 9}: chip 1 has come to 3 at least, chip 2 need not have signalled.
  EXPECT_THAT(wait(2), ElementsAre(0, 3, 0, 0));
}

TEST_F(Ledger, OneOfTwoEqualCopiesIsNotCertainlyOver) {
  raise(1, 64, 1, 10);
  raise(1, 64, 1, 11);
  EXPECT_THAT(wait(64), ElementsAre(0, 1, 0, 0));  // but both have been started
  EXPECT_THAT(over(), IsEmpty());
  wait(64);
  EXPECT_THAT(over(), ElementsAre(10, 11));
}

TEST_F(Ledger, ACopyWithoutWhichTheSumIsNotReachedIsOver) {
  raise(1, 100, 1, 10);
  raise(2, 30, 1, 11);
  wait(60);
  EXPECT_THAT(over(), ElementsAre(10));
}

TEST_F(Ledger, ConsumedSignalsCountForLaterWaits) {
  raise(1, 1, 7);
  EXPECT_THAT(wait(1), ElementsAre(0, 7, 0, 0));
  raise(2, 1, 9);
  EXPECT_THAT(wait(1), ElementsAre(0, 7, 9, 0));
  EXPECT_EQ(ledger.raised(ChipId{0}, 5), 2u);
  EXPECT_EQ(ledger.waited_for(ChipId{0}, 5), 2u);
  EXPECT_THAT(ledger.outstanding(ChipId{0}, 5), IsEmpty());
  EXPECT_THAT(ledger.signallers(ChipId{0}, 5), ElementsAre(ChipId{1}, ChipId{2}));
}

}  // namespace
}  // namespace podsim::check
