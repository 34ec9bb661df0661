// Links that differ from the others: what each entry of ici.links comes to, and which entries are refused.
#include "platform/pod/link_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/config/pod_reader.h"
#include "platform/config/yaml_document.h"
#include "platform/pod/pod.h"
#include "tests/support/pods.h"

namespace podsim::pod {
namespace {

using ::testing::HasSubstr;

const ici::Port kXPlus = ici::plus_port(ici::Axis{0});
const ici::Port kXMinus = ici::minus_port(ici::Axis{0});
const ici::Port kYPlus = ici::plus_port(ici::Axis{1});

ChipId chip(std::uint32_t i) { return static_cast<ChipId>(i); }

// A pod from YAML: a 4x3 mesh of small v5e chips, with `links` as its list of links.
PodConfig pod_with(const std::string& links, const std::string& more = "") {
  const std::string text = "chip: tpu-v5e\ntopology:\n  axes: [{name: x, size: 4}, {name: y, size: 3}]\nici:\n" + more +
                           "  links:\n" + links;
  return config::read_pod(config::resolve(config::parse_yaml(text, "pod.yaml"), PODSIM_SOURCE_DIR));
}

std::string refusal(const std::string& links) {
  try {
    (void)pod_with(links);
  } catch (const config::ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(LinkPlan, ChangesALinkBothWaysUnlessToldOtherwise) {
  const PodConfig config = pod_with(
      "    - {from: [1, 2], axis: x, direction: '+', bandwidth_per_direction: 20 GB/s}\n"
      "    - {chip: 4, axis: y, direction: '-', hop_latency: 3 us, both_ways: false}\n"
      "    - {from: [1, 2], axis: x, hop_latency: 2 us}\n");
  const ici::TorusShape torus = torus_shape(config);
  const LinkPlan plan(config, torus);
  const Bandwidth usual = config.chip.ici.link.bandwidth_per_direction;
  for (const auto& [from, port] : {std::pair{chip(9), kXPlus}, std::pair{chip(10), kXMinus}}) {
    EXPECT_EQ(plan.link(from, port).bandwidth_per_direction, Bandwidth{20'000'000'000});
    EXPECT_EQ(plan.link(from, port).hop_latency.ps, 2 * kPicosecondsPerMicrosecond);
  }
  EXPECT_EQ(plan.link(chip(4), ici::minus_port(ici::Axis{1})).hop_latency.ps, 3 * kPicosecondsPerMicrosecond);
  EXPECT_EQ(plan.link(chip(0), kYPlus).hop_latency, config.chip.ici.link.hop_latency) << "one way only";
  EXPECT_EQ(plan.link(chip(0), kXPlus).bandwidth_per_direction, usual);
  EXPECT_EQ(plan.fastest(), usual);
  EXPECT_TRUE(plan.dead().empty());
}

TEST(LinkPlan, PodsHaveTheLinksThatItSays) {
  PodConfig config = testing::pod_config({{4, 3}, false});
  config.links = {testing::link_of_speed(5, "x", Bandwidth{90'000'000'000}), testing::dead_link(0, "x")};
  const Pod pod(config, false);
  EXPECT_EQ(pod.links().size(), 2u * (3 * 3 + 4 * 2) - 2);
  unsigned fast = 0;
  for (const Pod::Link& link : pod.links()) {
    EXPECT_FALSE(pod.dead_links().contains(link.from, link.port));
    if (link.module->config().bandwidth_per_direction == Bandwidth{90'000'000'000}) ++fast;
  }
  EXPECT_EQ(fast, 2u);
}

TEST(LinkPlan, RefusesWhatDoesNotFitWithThePlaceInTheFile) {
  EXPECT_EQ(refusal("    - {from: [1, 0], axis: x, dead: true}\n    - {from: [3, 0], axis: x, dead: true}\n"),
            "pod.yaml:7:7: ici.links.1: chip 3 (3,0) has no link in direction x+: the axis does not wrap");
  EXPECT_EQ(refusal("    - {from: [4, 0], axis: x, dead: true}\n"),
            "pod.yaml:6:14: ici.links.0.from: x = 4 is outside the pod: the axis has 4 chips");
  EXPECT_THAT(refusal("    - {from: [4], axis: x, dead: true}\n"), HasSubstr("1 coordinates for a pod of 2 axes"));
  EXPECT_THAT(refusal("    - {chip: 12, axis: x, dead: true}\n"), HasSubstr("there is no chip 12: the pod has 12"));
  EXPECT_THAT(refusal("    - {chip: 1, axis: z, dead: true}\n"), HasSubstr("the pod has no axis 'z'"));
  EXPECT_THAT(refusal("    - {axis: x, dead: true}\n"), HasSubstr("give the chip by its number"));
  EXPECT_THAT(refusal("    - {chip: 1, from: [1, 0], axis: x, dead: true}\n"),
              HasSubstr("give the chip by its number"));
  EXPECT_THAT(refusal("    - {chip: 1, axis: x}\n"), HasSubstr("says nothing of the link"));
  EXPECT_THAT(refusal("    - {chip: 1, axis: x, dead: true, hop_latency: 1 us}\n"), HasSubstr("neither bandwidth"));
  EXPECT_THAT(refusal("    - {chip: 1, axis: x, dead: true, both_ways: false}\n"), HasSubstr("dead both ways"));
  EXPECT_THAT(refusal("    - {chip: 1, dead: true}\n"), HasSubstr("axis: required key is missing"));
}

TEST(LinkPlan, NamesTheChipsThatDeadLinksCutOff) {
  EXPECT_THAT(refusal("    - {chip: 0, axis: x, dead: true}\n    - {chip: 0, axis: y, dead: true}\n"),
              HasSubstr("pod.yaml:7:7: ici.links.1: the dead links cut off chip 0 (0,0)"));
}

TEST(LinkPlan, DeadLinksNeedAVirtualChannelForDetours) {
  PodConfig config = testing::pod_config({{4, 4}});
  config.links = {testing::dead_link(0, "x")};
  EXPECT_THROW(check(config), std::invalid_argument) << "the torus uses both";
  config.chip.ici.router.virtual_channels = 3;
  EXPECT_NO_THROW(check(config));
  config = testing::pod_config({{4, 4}, false});
  config.links = {testing::dead_link(0, "x")};
  EXPECT_NO_THROW(check(config)) << "a mesh has one to spare";
  config.chip.ici.router.virtual_channels = 1;
  EXPECT_THROW(check(config), std::invalid_argument);
}

TEST(LinkPlan, SurvivesBeingWrittenAndReadAgain) {
  const PodConfig config = pod_with(
      "    - {from: [1, 2], axis: x, direction: '-', bandwidth_per_direction: 20 GB/s}\n"
      "    - {chip: 1, axis: x, dead: true}\n");
  const std::string yaml = config::to_yaml(config::list_keys(config));
  EXPECT_EQ(config::to_yaml(config::list_keys(config::read_pod(config::parse_yaml(yaml, "again.yaml")))), yaml);
}

}  // namespace
}  // namespace podsim::pod
