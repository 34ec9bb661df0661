// What members of a clique may and may not call, at the first disagreement.
#include "platform/check/contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "firmware/collectives/collective.h"
#include "platform/check/devices.h"
#include "tests/unit/device/register_bus_stub.h"

namespace podsim::check {
namespace {

using firmware::CollectiveCall;
using firmware::CollectiveKind;
using firmware::Device;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Devices without hardware on a 2x2 mesh; calls are announced by hand.
class Contract : public ::testing::Test {
 protected:
  Contract() {
    for (std::uint32_t i = 0; i < torus.chips(); ++i) {
      devices.push_back(std::make_unique<Device>(static_cast<ChipId>(i), bus, torus, firmware::Resources{}));
    }
  }
  void call(unsigned chip, const CollectiveCall& made) {
    checker.collective_began(*devices[chip], made, std::source_location::current());
  }
  void end(unsigned chip) { checker.program_ended(*devices[chip]); }
  [[nodiscard]] std::string said() const { return checker.violation() ? checker.violation()->text : std::string(); }

  static CollectiveCall of(CollectiveKind kind, std::uint64_t elements, std::vector<ici::Axis> axes = {}) {
    CollectiveCall call;
    call.kind = kind;
    call.elements = elements;
    call.axes = std::move(axes);
    return call;
  }
  [[nodiscard]] CollectiveCall listed(const std::vector<std::vector<ChipId>>& lists) const {
    CollectiveCall call = of(CollectiveKind::kAllGather, 8);
    call.groups = std::make_shared<firmware::ReplicaGroups>(torus, lists);
    return call;
  }

  const ici::TorusShape torus{{{"x", 2, false}, {"y", 2, false}}};
  testing::RegisterBusStub bus;
  check::Devices devices;
  int reports = 0;
  ContractChecker checker{torus, [this] { ++reports; }};
};

TEST_F(Contract, TheSameCallsInTheSameOrderAreFine) {
  for (unsigned turn = 0; turn < 3; ++turn) {
    for (unsigned chip = 0; chip < 4; ++chip) call(chip, of(CollectiveKind::kAllReduce, 8));
    for (unsigned chip = 4; chip-- > 0;) call(chip, of(CollectiveKind::kAllGather, 4, {ici::Axis{1}}));
  }
  for (unsigned chip = 0; chip < 4; ++chip) end(chip);
  EXPECT_THAT(said(), IsEmpty());
  EXPECT_EQ(reports, 0);
}

TEST_F(Contract, AxesAndListsThatNameTheSameChipsAreOneClique) {
  call(0, of(CollectiveKind::kAllGather, 8));
  call(1, listed({{ChipId{0}, ChipId{1}, ChipId{2}, ChipId{3}}}));
  EXPECT_THAT(said(), HasSubstr("order of the members"));  // one says how ranks count, the other leaves it open
}

TEST_F(Contract, AnotherSizeIsReportedWithPositionAndBothSides) {
  for (unsigned chip = 0; chip < 4; ++chip) call(chip, of(CollectiveKind::kAllReduce, 8));
  call(2, of(CollectiveKind::kAllReduce, 16));
  call(3, of(CollectiveKind::kAllReduce, 32));
  EXPECT_THAT(said(), HasSubstr("all 4 chips, call 2"));
  EXPECT_THAT(said(), HasSubstr("chip 2 (0,1): all_reduce (sum) of 16 f32 at"));
  EXPECT_THAT(said(), HasSubstr("chip 3 (1,1): all_reduce (sum) of 32 f32 at"));
  EXPECT_THAT(said(), HasSubstr("contract_test.cpp"));
  EXPECT_THAT(said(), HasSubstr("they differ in: size"));
  EXPECT_EQ(reports, 1);
}

TEST_F(Contract, OnlyTheFirstDisagreementIsReported) {
  call(0, of(CollectiveKind::kAllReduce, 8));
  call(1, of(CollectiveKind::kAllGather, 8));
  call(2, of(CollectiveKind::kAllToAll, 8));
  EXPECT_THAT(said(), HasSubstr("chip 1"));
  EXPECT_EQ(reports, 1);
}

TEST_F(Contract, AMemberThatEndsWithACallTooFewIsReportedAtOnce) {
  call(0, of(CollectiveKind::kAllReduce, 8));
  EXPECT_THAT(said(), IsEmpty());
  end(3);
  EXPECT_THAT(said(), HasSubstr("chip 3 (1,1): nothing; its program has ended"));
}

TEST_F(Contract, ACallAfterAMembersEndIsReportedToo) {
  end(3);
  EXPECT_THAT(said(), IsEmpty());
  call(0, of(CollectiveKind::kAllReduce, 8));
  EXPECT_THAT(said(), HasSubstr("chip 3 (1,1) makes one call too few, or chip 0 (0,0) one too many"));
}

TEST_F(Contract, CliquesOfOthersDoNotMatter) {
  call(0, of(CollectiveKind::kAllReduce, 8, {ici::Axis{0}}));
  call(1, of(CollectiveKind::kAllReduce, 8, {ici::Axis{0}}));
  end(2);
  end(3);
  EXPECT_THAT(said(), IsEmpty());
}

TEST_F(Contract, OrderOverTwoCliquesIsComparedWhereChipsShareBoth) {
  call(0, of(CollectiveKind::kAllReduce, 8, {ici::Axis{0}}));
  call(0, of(CollectiveKind::kAllReduce, 8));
  call(1, of(CollectiveKind::kAllReduce, 8));
  EXPECT_THAT(said(), HasSubstr("different order"));
  EXPECT_THAT(said(), HasSubstr("chips 0, 1 (axis x)"));
}

TEST_F(Contract, ChipsThatShareOneCliqueMayOrderTheirOthersAsTheyLike) {
  call(0, of(CollectiveKind::kAllReduce, 8, {ici::Axis{0}}));  // chips 0, 1
  call(0, of(CollectiveKind::kAllReduce, 8, {ici::Axis{1}}));  // chips 0, 2
  call(2, of(CollectiveKind::kAllReduce, 8, {ici::Axis{1}}));
  call(2, of(CollectiveKind::kAllReduce, 8, {ici::Axis{0}}));  // chips 2, 3
  EXPECT_THAT(said(), IsEmpty());
}

TEST_F(Contract, AChipInNoneOfTheGroupsHasNothingToDoUnlessItWasTold) {
  CollectiveCall call = listed({{ChipId{0}, ChipId{1}}});
  checker.collective_began(*devices[2], call, std::source_location::current());
  EXPECT_THAT(said(), IsEmpty());
  call.members_only = true;
  checker.collective_began(*devices[2], call, std::source_location::current());
  EXPECT_THAT(said(), HasSubstr("chip 2 (0,1) is in none of the call's groups"));
}

TEST_F(Contract, KnowsWhoIsMissing) {
  call(0, of(CollectiveKind::kAllReduce, 8));
  call(2, of(CollectiveKind::kAllReduce, 8));
  ASSERT_EQ(checker.open(ChipId{0}).size(), 1u);
  EXPECT_THAT(checker.missing(checker.open(ChipId{0})[0]), ::testing::ElementsAre(ChipId{1}, ChipId{3}));
  checker.collective_ended(*devices[0], of(CollectiveKind::kAllReduce, 8));
  EXPECT_THAT(checker.open(ChipId{0}), IsEmpty());
}

}  // namespace
}  // namespace podsim::check
