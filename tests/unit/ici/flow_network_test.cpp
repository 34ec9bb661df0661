// The flow network between network interfaces and routers: when a copy's first and last byte arrive and when its sender
// is told, alone and with others on its links. Expected times are worked out by hand from bytes, rates and latencies.
#include "models/ici/flow_network.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "models/ici/packet_pool.h"
#include "models/kernel/payload_pool.h"
#include "tests/support/simulation.h"

namespace podsim::ici {
namespace {

Picoseconds stamp() { return static_cast<Picoseconds>(sc_core::sc_time_stamp().value()); }

// In the place of a network interface, or of a router: notes what comes, and when.
class Stub final : public sc_core::sc_module, private IciForward, private IciBackward {
 public:
  struct Call {
    IciPhase phase;
    std::uint64_t number;  // as given to send()
    Picoseconds when;      // annotated delay included
    Picoseconds head;
    Picoseconds tail;
  };
  IciInitiator out{"out"};
  IciTarget in{"in"};
  std::vector<Call> calls;

  explicit Stub(sc_core::sc_module_name name) : sc_module(name) {
    out.bind(static_cast<IciBackward&>(*this));
    in.bind(static_cast<IciForward&>(*this));
  }
  ~Stub() override = default;

  [[nodiscard]] std::vector<Picoseconds> times(IciPhase phase, std::uint64_t number) const {
    std::vector<Picoseconds> found;
    for (const Call& call : calls) {
      if (call.phase == phase && call.number == number) found.push_back(call.when);
    }
    return found;
  }

 private:
  void note(const IciPacket& packet, IciPhase phase, const sc_core::sc_time& delay) {
    calls.push_back(
        {phase, packet.offset, stamp() + static_cast<Picoseconds>(delay.value()), packet.head, packet.tail});
  }
  tlm::tlm_sync_enum nb_transport_fw(IciPacket& packet, IciPhase& phase, sc_core::sc_time& delay) override {
    note(packet, phase, delay);
    return tlm::TLM_COMPLETED;
  }
  tlm::tlm_sync_enum nb_transport_bw(IciPacket& packet, IciPhase& phase, sc_core::sc_time& delay) override {
    note(packet, phase, delay);
    return tlm::TLM_COMPLETED;
  }
};

// A line of four chips.
class FlowNetworkTest : public testing::Simulation {
 protected:
  static constexpr Picoseconds kLatency = 600'000;
  static constexpr std::uint64_t kRate = 50'000'000'000;  // 20 ps a byte
  static constexpr Picoseconds kByte = 20;
  static constexpr Bytes kSize = 100'000;
  static constexpr Picoseconds kAlone = kSize * kByte;

  FlowNetworkTest() : network("flows", queue, config, shape, routing, links()) {
    for (std::uint32_t i = 0; i < shape.chips(); ++i) {
      interfaces.push_back(std::make_unique<Stub>(fmt::format("interface_{}", i).c_str()));
      routers.push_back(std::make_unique<Stub>(fmt::format("router_{}", i).c_str()));
      interfaces[i]->out.bind(network.from_interfaces[i]);
      network.to_interfaces[i].bind(interfaces[i]->in);
      network.to_routers[i].bind(routers[i]->in);
      routers[i]->out.bind(network.from_routers[i]);
    }
    run();  // elaborate
  }
  std::vector<LinkConfig> links() const {
    return std::vector<LinkConfig>(std::size_t{shape.chips()} * shape.link_ports(), config.link);
  }
  void send(std::uint64_t number, std::uint32_t from, std::uint32_t to, Bytes bytes, Picoseconds head = 0,
            Picoseconds source_time = 0) {
    IciPacket& packet = packets.acquire();
    packet.source = static_cast<ChipId>(from);
    packet.destination = static_cast<ChipId>(to);
    packet.bytes = bytes;
    packet.burst = &payload;
    packet.offset = number;
    packet.head = head;
    packet.tail = head + source_time;
    inject(packet);
  }
  void inject(IciPacket& packet) {
    routing.plan(packet);
    IciPhase phase = IciPhase::kHead;
    sc_core::sc_time delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(packet.head - stamp()));
    interfaces[index(packet.source)]->out->nb_transport_fw(packet, phase, delay);
  }
  void expect(std::uint64_t number, std::uint32_t from, std::uint32_t to, Picoseconds first, Picoseconds last) {
    const Picoseconds hops = to > from ? to - from : from - to;
    EXPECT_EQ(interfaces[from]->times(IciPhase::kSent, number), std::vector{last}) << number;
    EXPECT_EQ(interfaces[to]->times(IciPhase::kHead, number), std::vector{first + hops * kLatency}) << number;
    EXPECT_EQ(interfaces[to]->times(IciPhase::kTail, number), std::vector{last + hops * kLatency}) << number;
  }

  const IciConfig config{.link = {.bandwidth_per_direction = {kRate}, .hop_latency = {kLatency}},
                         .router = {},
                         .fidelity = Fidelity::kFlow,
                         .packet = {4096}};
  const TorusShape shape{{{"x", 4, false}}};
  const DimensionOrderRouting routing{shape, 2};
  tlm::tlm_generic_payload payload;
  PacketPool packets;
  FlowNetwork network;
  std::vector<std::unique_ptr<Stub>> interfaces;
  std::vector<std::unique_ptr<Stub>> routers;
};

TEST_F(FlowNetworkTest, AloneACopyTakesItsBytesAndTheHops) {
  send(1, 0, 2, kSize, 5'000);
  run();
  expect(1, 0, 2, 5'000, 5'000 + kAlone);
  EXPECT_TRUE(network.idle());
}

TEST_F(FlowNetworkTest, ACopyShorterThanItsWayArrivesInOneGo) {
  send(1, 0, 3, 10);
  run();
  expect(1, 0, 3, 0, 10 * kByte);
}

TEST_F(FlowNetworkTest, CopiesOfTwoChipsShareALink) {
  send(1, 0, 2, kSize);
  send(2, 1, 2, kSize / 2);
  run();
  // Half the rate each until the shorter one has passed; the other has half of its bytes left then.
  expect(2, 1, 2, 0, kAlone);
  expect(1, 0, 2, 0, kAlone + kAlone / 2);
}

TEST_F(FlowNetworkTest, ALaterCopySlowsTheOneUnderWay) {
  send(1, 0, 2, kSize);
  send(2, 1, 3, kSize, kAlone / 2);
  run();
  // The first has half of its bytes left, at half the rate; then the second has half left, at the full rate.
  expect(1, 0, 2, 0, kAlone / 2 + kAlone);
  expect(2, 1, 3, kAlone / 2, 2 * kAlone);
}

TEST_F(FlowNetworkTest, OppositeDirectionsAndOtherLinksDoNotDisturb) {
  send(1, 0, 1, kSize);
  send(2, 1, 0, kSize);
  send(3, 1, 2, kSize);
  run();
  expect(1, 0, 1, 0, kAlone);
  expect(2, 1, 0, 0, kAlone);
  expect(3, 1, 2, 0, kAlone);
}

TEST_F(FlowNetworkTest, CopiesOfOneChipGoOneAfterTheOther) {
  send(1, 0, 1, kSize);
  send(2, 0, 2, kSize);
  run();
  expect(1, 0, 1, 0, kAlone);
  expect(2, 0, 2, kAlone, 2 * kAlone);
}

TEST_F(FlowNetworkTest, ACopyThatLeavesRoomLetsTheNextOneBegin) {
  send(1, 0, 1, kSize, 0, 4 * kAlone);  // a slow source: a quarter of the link
  send(2, 0, 1, 3 * kSize);
  run();
  expect(1, 0, 1, 0, 4 * kAlone);
  expect(2, 0, 1, 0, 4 * kAlone);
}

TEST_F(FlowNetworkTest, TheHeadSaysWhenTheTailWillComeAsThingsStand) {
  send(1, 0, 2, 10 * kSize);
  send(2, 1, 2, kSize, 5 * kAlone);
  run();
  const auto& calls = interfaces[2]->calls;
  ASSERT_EQ(calls.size(), 4u);
  EXPECT_EQ(calls[0].tail, 10 * kAlone + 2 * kLatency) << "nobody had come between yet";
  EXPECT_EQ(calls[3].tail, 11 * kAlone + 2 * kLatency);
}

TEST_F(FlowNetworkTest, SignalsGoOnToTheRouterAndItsEjectionsComeBack) {
  IciPacket& signal = packets.acquire();
  signal.source = ChipId{0};
  signal.destination = ChipId{2};
  signal.offset = 9;
  inject(signal);
  EXPECT_EQ(routers[0]->calls.size(), 1u);
  IciPhase phase = IciPhase::kHead;
  sc_core::sc_time now = sc_core::SC_ZERO_TIME;
  routers[2]->out->nb_transport_fw(signal, phase, now);
  EXPECT_EQ(interfaces[2]->calls.size(), 1u);
  EXPECT_TRUE(network.idle());
}

TEST_F(FlowNetworkTest, CountsThePacketsThatAFlowStandsFor) {
  send(1, 0, 2, 10'000);  // 4096 + 4096 + 1808
  run();
  for (const std::uint32_t chip : {0u, 1u}) {
    const LinkStatistics& link = network.link_statistics(static_cast<ChipId>(chip), Port{0});
    EXPECT_EQ(link.packets, 3u);
    EXPECT_EQ(link.payload_bytes, 10'000u);
    EXPECT_EQ(link.busy, 10'000 * kByte);
    EXPECT_EQ(network.router_statistics(static_cast<ChipId>(chip)).forwarded, 3u);
  }
  EXPECT_EQ(network.router_statistics(ChipId{0}).injected, 3u);
  EXPECT_EQ(network.router_statistics(ChipId{2}).ejected, 3u);
  network.reset_statistics();
  EXPECT_EQ(network.link_statistics(ChipId{0}, Port{0}).packets, 0u);
}

}  // namespace
}  // namespace podsim::ici
