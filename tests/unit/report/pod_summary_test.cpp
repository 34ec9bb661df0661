// Bandwidths of pods against values worked out by hand. A k-ring cut in its middle is crossed by two links one way (the
// middle and the wrap-around), a line by one; each line of chips along the axis is cut once.
#include "platform/report/pod_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/pods.h"

namespace podsim::report {
namespace {

using ::testing::HasSubstr;

PodSummary summary_of(const testing::Shape& shape) {
  const pod::Pod pod(testing::pod_config(shape), /*with_data=*/false);
  return summarise(pod);
}

TEST(PodSummary, V5ePodOf256) {
  const PodSummary summary = summary_of({{16, 16}, true});
  EXPECT_EQ(summary.pod.links, 256u * 4);
  EXPECT_EQ(summary.most_links, 4u);
  EXPECT_EQ(summary.cut.links, 16u * 2);
  EXPECT_DOUBLE_EQ(summary.cut.bandwidth, 32 * 45e9);
  EXPECT_DOUBLE_EQ(summary.chip_injection, 4 * 45e9);
  EXPECT_DOUBLE_EQ(summary.pod_injection, 1024 * 45e9);
  // 4 MXUs x 128 x 128 cells x 2 FLOP x 1.5 GHz, the config struct's defaults.
  EXPECT_DOUBLE_EQ(summary.peak_bf16, 4.0 * 128 * 128 * 2 * 1.5e9);
  const std::string text = summary_text(summary);
  EXPECT_THAT(text, HasSubstr("1.44 TB/s one way: 32 links across the middle of axis x"));
  EXPECT_EQ(summary_json(summary)["bisection_Bps"].get<double>(), 1.44e12);
}

TEST(PodSummary, MeshIsCutOncePerRow) {
  const PodSummary summary = summary_of({{4, 4}, false});
  EXPECT_EQ(summary.pod.links, 2u * 2 * 4 * 3);  // both ways, both axes, four lines of three
  EXPECT_EQ(summary.cut.links, 4u);
  EXPECT_EQ(summary.most_links, 4u);  // a chip in the middle
}

TEST(PodSummary, CutsTheLongestAxis) {
  const PodSummary summary = summary_of({{4, 4, 8}, true});
  EXPECT_EQ(ici::index(summary.cut.axis), 2u);
  EXPECT_EQ(summary.cut.links, 16u * 2);
}

TEST(PodSummary, OddAxisHasUnequalHalves) {
  const PodSummary summary = summary_of({{5}, true});  // [0, 2) and [2, 5): 1 -> 2 and 0 -> 4
  EXPECT_EQ(summary.cut.links, 2u);
}

TEST(PodSummary, TwoChipsHaveOneLinkEachWay) {
  const PodSummary summary = summary_of({{2}, true});
  EXPECT_EQ(summary.pod.links, 2u);
  EXPECT_EQ(summary.cut.links, 1u);
}

TEST(PodSummary, OneChipHasNone) {
  const PodSummary summary = summary_of({{1}, true});
  EXPECT_EQ(summary.pod.links, 0u);
  EXPECT_EQ(summary.cut.links, 0u);
  EXPECT_EQ(summary.chip_injection, 0);
  EXPECT_FALSE(summary_text(summary).empty());
}

TEST(PodSummary, PcieIsTheRateAfterLineCoding) {
  // Generation 3, 16 lanes: 8 GT/s x 16 x 128/130 / 8 bit.
  EXPECT_NEAR(static_cast<double>(summary_of({{2}, true}).pcie_bandwidth.bytes_per_second), 8e9 * 16 * 128 / 130 / 8,
              1.0);
}

}  // namespace
}  // namespace podsim::report
