// Every chip floods the network. Whatever the load, everything must arrive, in order between any two chips, and every
// credit must come home: the dateline keeps a torus from locking up even with buffers of a single packet. Without it,
// it does lock up, and podsim shows so.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/unit/ici/router_rig.h"

namespace podsim::ici {
namespace {

constexpr Bytes kPacket = 4096;

struct Network {
  const char* name;
  std::vector<AxisShape> axes;
  unsigned virtual_channels;
  unsigned packets_per_buffer;
};

IciConfig config(const Network& network) {
  IciConfig config;
  config.link.hop_latency = {100'000};
  config.router = {.virtual_channels = network.virtual_channels,
                   .buffer_per_vc = {network.packets_per_buffer * kPacket}};
  config.packet = {kPacket};
  return config;
}

class RouterFlood : public testing::Simulation, public ::testing::WithParamInterface<Network> {};

TEST_P(RouterFlood, EverythingArrivesInOrderAndAllCreditsComeHome) {
  testing::RouterRig rig(queue, TorusShape(GetParam().axes), config(GetParam()));
  run();  // elaborate
  std::mt19937 random(99);
  const std::uint32_t chips = rig.shape.chips();
  constexpr unsigned kPacketsPerChip = 120;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> sent;
  for (unsigned i = 0; i < kPacketsPerChip; ++i) {
    for (std::uint32_t from = 0; from < chips; ++from) {
      const auto to = static_cast<std::uint32_t>(random() % chips);
      rig.inject(from, to, 1 + random() % kPacket, sent[{from, to}]++, Picoseconds{1000} * i);
    }
  }
  run();
  EXPECT_TRUE(rig.idle()) << "a packet is stuck, or a credit is lost";
  EXPECT_EQ(rig.packets.in_flight(), 0u);
  std::size_t arrived = 0;
  for (std::uint32_t to = 0; to < chips; ++to) {
    std::map<std::uint32_t, std::uint64_t> next;
    for (const auto& arrival : rig.arrivals(to)) ASSERT_EQ(arrival.number, next[index(arrival.source)]++);
    for (const auto& [from, count] : next) ASSERT_EQ(count, (sent[{from, to}]));
    arrived += rig.arrivals(to).size();
  }
  EXPECT_EQ(arrived, std::size_t{kPacketsPerChip} * chips);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, RouterFlood,
    ::testing::Values(Network{"ring_8", {{"x", 8, true}}, 2, 1},
                      Network{"ring_5_three_channels", {{"x", 5, true}}, 3, 1},
                      Network{"ring_16", {{"x", 16, true}}, 2, 2}, Network{"line_6", {{"x", 6, false}}, 1, 1},
                      Network{"torus_4x4", {{"x", 4, true}, {"y", 4, true}}, 2, 1},
                      Network{"torus_5x3_partly_wrapped", {{"x", 5, true}, {"y", 3, false}}, 2, 1},
                      Network{"torus_4x4x4", {{"x", 4, true}, {"y", 4, true}, {"z", 4, true}}, 2, 1},
                      Network{"mesh_4x4", {{"x", 4, false}, {"y", 4, false}}, 1, 1}),
    [](const auto& param) { return std::string(param.param.name); });

// Each chip of a ring of eight sends four packets three places up; each buffer holds one packet.
class RingOfEight : public testing::Simulation {
 protected:
  void flood(unsigned virtual_channels) {
    const Network network{"", {{"x", 8, true}}, virtual_channels, 1};
    rig = std::make_unique<testing::RouterRig>(queue, TorusShape(network.axes), config(network));
    run();  // elaborate
    for (std::uint32_t from = 0; from < 8; ++from) {
      for (unsigned i = 0; i < kEach; ++i) rig->inject(from, (from + 3) % 8, kPacket, i);
    }
    run();  // events run dry, one way or the other
  }
  [[nodiscard]] std::size_t arrived() const {
    std::size_t count = 0;
    for (const auto& interface : rig->interfaces) count += interface->arrivals.size();
    return count;
  }
  static constexpr unsigned kEach = 4;
  std::unique_ptr<testing::RouterRig> rig;
};

TEST_F(RingOfEight, LocksUpWithoutADateline) {
  flood(1);
  EXPECT_EQ(arrived(), 0u) << "each buffer holds a packet that waits for the next buffer";
  EXPECT_FALSE(rig->idle());
  EXPECT_EQ(rig->packets.in_flight(), 8u * kEach);
}

TEST_F(RingOfEight, KeepsMovingWithADateline) {
  flood(2);
  EXPECT_EQ(arrived(), 8u * kEach);
  EXPECT_TRUE(rig->idle());
}

}  // namespace
}  // namespace podsim::ici
