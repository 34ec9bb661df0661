// Collectives on pods with dead and with slow links: the data is right, nothing locks up, every credit comes home, and
// the time shows what the links cost.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "platform/run/runner.h"
#include "tests/support/pods.h"

namespace podsim {
namespace {

using firmware::CollectiveKind;
using testing::dead_link;

struct Case {
  testing::Shape shape;
  std::vector<pod::LinkOverride> links;
  ici::Fidelity fidelity = ici::Fidelity::kPacket;
};

pod::LinkOverride slow(std::uint32_t chip, const char* axis) {
  return testing::link_of_speed(chip, axis, Bandwidth{5'000'000'000});
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](std::vector<unsigned> sizes, bool wrap, std::vector<pod::LinkOverride> links) {
    for (const auto fidelity : {ici::Fidelity::kPacket, ici::Fidelity::kBurst, ici::Fidelity::kFlow}) {
      Case& added = all.emplace_back();
      added.shape.sizes = sizes;
      added.shape.wrap = wrap;
      added.links = links;
      added.fidelity = fidelity;
    }
  };
  add({8}, true, {dead_link(2, "x")});
  add({4, 4}, false, {dead_link(5, "x")});
  add({4, 4}, true, {dead_link(5, "x"), dead_link(0, "y"), dead_link(3, "x"), slow(10, "y")});
  add({3, 5}, true, {dead_link(0, "x"), dead_link(1, "x"), dead_link(2, "x"), dead_link(4, "y"), dead_link(8, "y")});
  add({4, 4, 2}, true, {dead_link(0, "z"), dead_link(17, "y"), slow(3, "x")});
  return all;
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  return fmt::format("{}_{}_links_{}", info.param.shape.name(), info.param.links.size(),
                     info.param.fidelity == ici::Fidelity::kPacket  ? "packet"
                     : info.param.fidelity == ici::Fidelity::kBurst ? "burst"
                                                                    : "flow");
}

void PrintTo(const Case& each, std::ostream* out) { *out << each.shape.name(); }

pod::PodConfig config_of(const Case& parameters) {
  pod::PodConfig config = testing::pod_config(parameters.shape);
  config.links = parameters.links;
  config.chip.ici.fidelity = parameters.fidelity;
  // Small packets and buffers, so that messages take several of them and buffers fill up.
  config.chip.ici.packet = {256};
  config.chip.ici.router.buffer_per_vc = {1024};
  config.chip.ici.router.virtual_channels = 3;
  config.chip.dma.burst = {1024};
  return config;
}

class DeadLink : public ::testing::TestWithParam<Case> {};

TEST_P(DeadLink, CollectivesStillGiveTheRightData) {
  pod::Pod pod(config_of(GetParam()), true);
  run::Runner runner(pod);
  for (const auto kind : {CollectiveKind::kAllGather, CollectiveKind::kReduceScatter, CollectiveKind::kAllReduce,
                          CollectiveKind::kAllToAll}) {
    for (const std::uint64_t elements : {std::uint64_t{1}, std::uint64_t{5000}}) {
      run::Step step;
      step.name = "collective";
      step.collective.kind = kind;
      step.collective.elements = elements;
      const run::StepResult result = runner.run(step);
      ASSERT_EQ(result.outcome, run::Outcome::kCompleted) << result.explanation;
      EXPECT_EQ(result.wrong, 0u);
    }
  }
  std::uint64_t detours = 0;
  EXPECT_TRUE(pod.interconnect_idle());
  for (const auto& chip : pod.chips()) detours += pod.router_statistics(chip->id()).detours;
  EXPECT_GT(detours, 0u) << "of the last step";
}

INSTANTIATE_TEST_SUITE_P(All, DeadLink, ::testing::ValuesIn(cases()), case_name);

// A permute over one link takes the link's own time: bytes over bandwidth, the rest being latency.
TEST(SlowLink, SetsTheTimeOfACopyOverIt) {
  pod::PodConfig config = testing::pod_config({{4}, false});
  config.links = {testing::link_of_speed(1, "x", Bandwidth{9'000'000'000})};
  pod::Pod pod(config, false);
  run::Runner runner(pod);
  const auto time = [&](std::uint32_t from, std::uint32_t to) {
    run::Step step;
    step.name = "permute";
    step.collective.kind = CollectiveKind::kCollectivePermute;
    step.collective.elements = 1 << 20;
    step.collective.pairs = {{static_cast<ChipId>(from), static_cast<ChipId>(to)}};
    return runner.run(step).time;
  };
  const Bytes bytes = 4 << 20;
  const Picoseconds slower = SerialisationTime(Bandwidth{9'000'000'000})(bytes) -
                             SerialisationTime(config.chip.ici.link.bandwidth_per_direction)(bytes);
  const Picoseconds usual = time(0, 1);
  EXPECT_NEAR(static_cast<double>(time(1, 2) - usual), static_cast<double>(slower), 1e3);
  EXPECT_NEAR(static_cast<double>(time(2, 1) - usual), static_cast<double>(slower), 1e3) << "both ways";
  EXPECT_EQ(time(2, 3), usual);
}

}  // namespace
}  // namespace podsim
