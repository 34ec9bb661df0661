// What a topology describes, and which configurations are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "platform/pod/pod.h"
#include "tests/support/pods.h"

namespace podsim::pod {
namespace {

using ::testing::HasSubstr;

bool wraps(unsigned size, Wrap wrap, const WrapRule& rule) {
  PodConfig config;
  config.topology.axes = {{"x", size, wrap}};
  config.wrap_rule = rule;
  return torus_shape(config).axis(ici::Axis{0}).wrap;
}

WrapRule only_size(unsigned size) { return {std::nullopt, size}; }
WrapRule multiple_of(unsigned size) { return {size, std::nullopt}; }

// TPU v5e and v6e wrap an axis of 16 alone.
TEST(TorusOfAPod, OnlySizeWrapsThatSizeAlone) {
  const WrapRule rule = only_size(16);
  for (const unsigned size : {1u, 2u, 4u, 8u, 12u, 15u, 17u, 32u}) EXPECT_FALSE(wraps(size, Wrap::kAuto, rule)) << size;
  EXPECT_TRUE(wraps(16, Wrap::kAuto, rule));
}

// TPU v4 and v5p are built of 4x4x4 cubes.
TEST(TorusOfAPod, MultipleOfWrapsMultiples) {
  const WrapRule rule = multiple_of(4);
  for (const unsigned size : {1u, 2u, 3u, 5u, 6u, 10u, 14u}) EXPECT_FALSE(wraps(size, Wrap::kAuto, rule)) << size;
  for (const unsigned size : {4u, 8u, 12u, 28u}) EXPECT_TRUE(wraps(size, Wrap::kAuto, rule)) << size;
}

TEST(TorusOfAPod, AnAxisMaySayItself) {
  EXPECT_TRUE(wraps(5, Wrap::kYes, multiple_of(4)));
  EXPECT_FALSE(wraps(16, Wrap::kNo, only_size(16)));
}

TEST(TorusOfAPod, WithoutARuleNothingWrapsByItself) {
  EXPECT_FALSE(wraps(16, Wrap::kAuto, {}));
  EXPECT_FALSE(wraps(16, Wrap::kAuto, multiple_of(0))) << "a multiple of nothing";
}

TEST(TorusOfAPod, TwoChipsNeverWrap) { EXPECT_FALSE(wraps(2, Wrap::kYes, {})); }

TEST(TorusOfAPod, KeepsTheOrderOfTheAxes) {
  PodConfig config;
  config.topology.axes = {{"y", 3, Wrap::kNo}, {"x", 5, Wrap::kYes}};
  const ici::TorusShape shape = torus_shape(config);
  EXPECT_EQ(shape.chips(), 15u);
  EXPECT_EQ(shape.find_axis("x"), ici::Axis{1});
}

TEST(TorusOfAPod, RefusesAnAxisThatIsThereTwiceAndNoAxes) {
  PodConfig config;
  EXPECT_THROW((void)torus_shape(config), std::invalid_argument);
  config.topology.axes = {{"x", 3, Wrap::kNo}, {"x", 5, Wrap::kYes}};
  try {
    (void)torus_shape(config);
    FAIL() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "topology: axis 'x' is there twice");
  }
}

// What check() says of a good configuration that has been changed.
template <class Change>
std::string complaint(Change&& change) {
  PodConfig config = testing::pod_config({{4}});
  check(config);  // good so far
  change(config);
  try {
    check(config);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(PodCheck, NamesTheKeyOfEachThingThatDoesNotFit) {
  EXPECT_THAT(complaint([](PodConfig& c) { c.chip.ici.packet = {0}; }), HasSubstr("ici.packet"));
  EXPECT_THAT(complaint([](PodConfig& c) { c.chip.dma.burst = {0}; }), HasSubstr("dma.burst"));
  EXPECT_THAT(complaint([](PodConfig& c) { c.chip.dma.burst = {2 * kGiB}; }),
              HasSubstr("dma.burst must be at most 1 GiB"));
  EXPECT_THAT(complaint([](PodConfig& c) { c.chip.ici.router.virtual_channels = 0; }), HasSubstr("virtual_channels"));
  EXPECT_THAT(complaint([](PodConfig& c) { c.chip.ici.router.virtual_channels = 4; }), HasSubstr("virtual_channels"));
  EXPECT_THAT(complaint([](PodConfig& c) { c.chip.dma.engines = 0; }), HasSubstr("dma: engines"));
  EXPECT_THAT(complaint([](PodConfig& c) { c.chip.dma.contexts = 0; }), HasSubstr("contexts"));
  EXPECT_THAT(complaint([](PodConfig& c) { c.chip.dma.queue_depth = 0; }), HasSubstr("queue_depth"));
  EXPECT_THAT(complaint([](PodConfig& c) { c.chip.dma.outstanding_bursts = 0; }), HasSubstr("outstanding_bursts"));
  EXPECT_THAT(complaint([](PodConfig& c) { c.chip.scalar_core.contexts = 0; }), HasSubstr("scalar_core.contexts"));
  EXPECT_THAT(complaint([](PodConfig& c) { c.chip.tensor_cores = 0; }), HasSubstr("tensor_core.count"));
  EXPECT_THAT(complaint([](PodConfig& c) { c.host.chips = 0; }), HasSubstr("host.chips"));
  EXPECT_EQ(complaint([](PodConfig& c) {
              c.host.chips = 8;
              c.host.switches.chips = 3;
            }),
            "host.switches.chips: the 8 chips of a host don't divide among switches of 3 each");
  EXPECT_EQ(complaint([](PodConfig& c) { c.chip.hbm.capacity = {(Bytes{1} << 40) + 1}; }),
            "hbm.capacity must be at most 1 TiB");
  EXPECT_EQ(complaint([](PodConfig& c) { c.chip.vmem.capacity = {(Bytes{1} << 40) + 1}; }),
            "vmem.capacity must be at most 1 TiB");
  EXPECT_EQ(complaint([](PodConfig& c) { c.host.memory.capacity = {(Bytes{1} << 40) + 1}; }),
            "host.memory.capacity must be at most 1 TiB");
}

TEST(PodCheck, APacketMustFitIntoABuffer) {
  EXPECT_EQ(complaint([](PodConfig& c) {
              c.chip.ici.packet = {4096};
              c.chip.ici.router.buffer_per_vc = {4095};
            }),
            "ici.packet (4096 bytes) does not fit into ici.buffer_per_vc (4095 bytes): it could never be sent");
  EXPECT_EQ(complaint([](PodConfig& c) { c.chip.ici.packet = c.chip.ici.router.buffer_per_vc; }), "");
}

TEST(Pod, HasALinkEachWayWhereTheTorusHas) {
  Pod pod(testing::pod_config({{3, 2}}), false);
  EXPECT_EQ(pod.size(), 6u);
  EXPECT_EQ(pod.links().size(), 6u * 2 + 6u) << "x wraps, y is of two chips";
  EXPECT_EQ(pod.hosts().size(), 2u) << "of four chips each";
  for (const Pod::Link& link : pod.links()) EXPECT_TRUE(pod.torus().neighbour(link.from, link.port));
}

TEST(Pod, SharesAHostsMemoryAmongItsChips) {
  Pod pod(testing::pod_config({{6}}), false);
  const Bytes each = pod.config().host.memory.capacity.bytes / 4;
  EXPECT_EQ(pod.host_bytes_per_chip(), each);
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(pod.host_base(static_cast<ChipId>(i)), i % 4 * each);
}

TEST(Pod, RefusesABadConfiguration) {
  PodConfig config = testing::pod_config({{4}});
  config.chip.dma.engines = 0;
  EXPECT_THROW(Pod(config, false), std::invalid_argument);
}

}  // namespace
}  // namespace podsim::pod
