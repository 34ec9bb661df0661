// `topology: links:` in YAML: what it makes, and what is refused, with the place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/config/pod_reader.h"
#include "platform/config/yaml_document.h"
#include "platform/pod/link_plan.h"
#include "platform/pod/pod.h"

namespace podsim::config {
namespace {

using ::testing::HasSubstr;

pod::PodConfig pod_with(const std::string& topology, const std::string& more = "") {
  const std::string text = "chip: tpu-v4\ntopology:\n" + topology + more;
  return read_pod(resolve(parse_yaml(text, "pod.yaml"), PODSIM_SOURCE_DIR));
}

std::string refusal(const std::string& topology, const std::string& more = "") {
  try {
    (void)pod_with(topology, more);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

const char* const kTriangle = "  chips: 3\n  links:\n    - [0, 1]\n    - [1, 2]\n    - [2, 0]\n";

TEST(ListedLinks, MakeAPod) {
  const pod::PodConfig config = pod_with(
      kTriangle, "ici:\n  links:\n    - {chip: 2, to: 0, bandwidth_per_direction: 9 GB/s, both_ways: false}\n");
  const ici::TorusShape shape = pod::torus_shape(config);
  ASSERT_NE(shape.listed_links(), nullptr);
  EXPECT_EQ(shape.chips(), 3u);
  const pod::LinkPlan plan(config, shape);
  const auto bandwidth = [&](std::uint32_t from, std::uint32_t to) {
    const auto port = static_cast<ici::Port>(shape.listed_links()->port_to(from, to).value());
    return plan.link(static_cast<ChipId>(from), port).bandwidth_per_direction.bytes_per_second;
  };
  EXPECT_EQ(bandwidth(2, 0), 9'000'000'000u);
  EXPECT_EQ(bandwidth(0, 2), 45'000'000'000u);
}

TEST(ListedLinks, AreListedAsTheyWereGiven) {
  const std::string yaml = to_yaml(list_keys(pod_with(kTriangle)));
  EXPECT_THAT(yaml, HasSubstr("\n    - [0, 1]"));
  EXPECT_EQ(read_pod(parse_yaml(yaml, "again.yaml")).topology.links, pod_with(kTriangle).topology.links);
}

TEST(ListedLinks, AreRefusedWithTheirPlace) {
  EXPECT_THAT(refusal("  chips: 3\n  links:\n    - [0, 1]\n    - [2, 2]\n"),
              HasSubstr("pod.yaml:6:7: topology.links.1: chip 2 can't be linked to itself"));
  EXPECT_THAT(refusal("  chips: 3\n  links:\n    - [0, 1]\n    - [1, 2]\n    - [1, 0]\n"),
              HasSubstr("pod.yaml:7:7: topology.links.2: chips 1 and 0 are linked already"));
  EXPECT_THAT(refusal("  chips: 2\n  links:\n    - [0, 4]\n"),
              HasSubstr("pod.yaml:5:7: topology.links.0: there is no chip 4"));
  EXPECT_THAT(refusal("  chips: 3\n  links:\n    - [0, 1, 2]\n"),
              HasSubstr("topology.links.0: a link joins two chips"));
  EXPECT_THAT(refusal("  chips: 4\n  links:\n    - [0, 1]\n    - [2, 3]\n"),
              HasSubstr("topology.links: no links lead from chip 0 to chip 2"));
  EXPECT_THAT(refusal("  links:\n    - [0, 1]\n"), HasSubstr("topology.chips"));
  EXPECT_THAT(refusal("  axes: [{name: x, size: 2}]\n  chips: 2\n  links:\n    - [0, 1]\n"),
              HasSubstr("topology.links: can't stand beside axes"));
  EXPECT_THAT(refusal(kTriangle, "ici:\n  links:\n    - {chip: 0, axis: x, dead: true}\n"),
              HasSubstr("ici.links.0.axis"));
  EXPECT_THAT(refusal(kTriangle, "ici:\n  links:\n    - {chip: 0, to: 7, dead: true}\n"),
              HasSubstr("ici.links.0.to: no link leads from chip 0 to chip 7"));
}

}  // namespace
}  // namespace podsim::config
