// The network interface between a bus and a router: bursts into packets, packets into writes, posted register writes.
#include "models/ici/network_interface.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "tests/support/memory_stub.h"
#include "tests/unit/ici/router_rig.h"

namespace podsim::ici {
namespace {

constexpr ChipId kHere{0};
constexpr ChipId kThere{2};
constexpr Picoseconds kStoreLatency = 333;
constexpr Bytes kCapacity = kMiB;

// Writes as DMA engines and scalar core do, and notes BEGIN_RESP.
class BusInitiator final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<64> socket{"socket"};
  explicit BusInitiator(sc_core::sc_module_name name) : sc_module(name) { socket.bind(*this); }
  ~BusInitiator() override = default;

  struct Answer {
    tlm::tlm_sync_enum status;
    tlm::tlm_phase phase;
    tlm::tlm_response_status response;
  };
  Answer send(tlm::tlm_generic_payload& payload, Picoseconds ahead = 0) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(ahead));
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
    const Answer answer{status, phase, payload.get_response_status()};
    if (status == tlm::TLM_COMPLETED) payload.release();
    return answer;
  }
  Answer write_burst(Address address, const std::vector<unsigned char>& data, Picoseconds first, Picoseconds last,
                     Address notify = kernel::Burst::kNoSemaphore) {
    auto& payload = pool.acquire(tlm::TLM_WRITE_COMMAND, address, data.size(), true);
    std::memcpy(payload.get_data_ptr(), data.data(), data.size());
    kernel::burst_of(payload)->first_byte = first;
    kernel::burst_of(payload)->last_byte = last;
    kernel::burst_of(payload)->notify = notify;
    kernel::burst_of(payload)->transfer = 77;
    return send(payload);
  }
  Answer write_word(Address address, std::uint64_t word, Picoseconds ahead = 0) {
    auto& payload = pool.acquire(tlm::TLM_WRITE_COMMAND, address, sizeof word, true);
    std::memcpy(payload.get_data_ptr(), &word, sizeof word);
    return send(payload, ahead);
  }

  kernel::PayloadPool pool;
  std::vector<Picoseconds> sent_at;  // BEGIN_RESP

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    EXPECT_TRUE(payload.is_response_ok());
    sent_at.push_back(testing::stamp() + static_cast<Picoseconds>(delay.value()));
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

// A line of three chips. The first and the last have network interfaces and memories; their routers are real.
class NetworkInterfaceTest : public testing::Simulation {
 protected:
  NetworkInterfaceTest() {
    for (std::uint32_t i = 0; i < 3; ++i) {
      const auto chip = static_cast<ChipId>(i);
      routers.push_back(std::make_unique<Router>(fmt::format("router_{}", i).c_str(), queue, config.router,
                                                 ici::RouterMode{config.router.credits, 0}, routing, shape.link_ports(),
                                                 shape.coordinates(chip)));
      interfaces.push_back(std::make_unique<NetworkInterface>(fmt::format("interface_{}", i).c_str(), queue, payloads,
                                                              packets, config, routing, chip));
      initiators.push_back(std::make_unique<BusInitiator>(fmt::format("initiator_{}", i).c_str()));
      memories.push_back(
          std::make_unique<testing::MemoryStub>(fmt::format("memory_{}", i).c_str(), kStoreLatency, 0, kCapacity));
      initiators[i]->socket.bind(interfaces[i]->from_bus);
      interfaces[i]->to_bus.bind(memories[i]->socket);
      interfaces[i]->to_router.bind(routers[i]->inject);
      routers[i]->eject.bind(interfaces[i]->from_router);
    }
    for (const auto& [from, port, to] : {std::tuple{0, 0, 1}, {1, 0, 2}, {2, 1, 1}, {1, 1, 0}}) {
      links.push_back(std::make_unique<IciLink>(fmt::format("link_{}_{}", from, port).c_str(), config.link));
      routers[from]->links_out[port].bind(links.back()->in);
      links.back()->out.bind(routers[to]->links_in[port ^ 1]);
    }
    run();  // elaborate
  }
  [[nodiscard]] Picoseconds link_time(Bytes bytes) const { return testing::link_time(config.link, bytes); }
  static std::vector<unsigned char> pattern(Bytes bytes) {
    std::vector<unsigned char> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>(i * 13 + i / 256);
    return data;
  }

  const IciConfig config{.link = {.bandwidth_per_direction = {45'000'000'000}, .hop_latency = {600'000}},
                         .router = {.virtual_channels = 2, .buffer_per_vc = {64 * kKiB}},
                         .fidelity = Fidelity::kPacket,
                         .packet = {4096}};
  const Picoseconds L = config.link.hop_latency.ps;
  const TorusShape shape{{{"x", 3, false}}};
  const DimensionOrderRouting routing{shape, 2};
  kernel::PayloadPool payloads;
  PacketPool packets;
  std::vector<std::unique_ptr<Router>> routers;
  std::vector<std::unique_ptr<NetworkInterface>> interfaces;
  std::vector<std::unique_ptr<BusInitiator>> initiators;
  std::vector<std::unique_ptr<testing::MemoryStub>> memories;
  std::vector<std::unique_ptr<IciLink>> links;
};

constexpr Address kTarget = make_address(kThere, Region::kHbm, 1000);
constexpr Address kSemaphore = make_address(kThere, Region::kSemaphores, 40);

TEST_F(NetworkInterfaceTest, ABurstIsCutIntoPacketsAndArrivesWhole) {
  const std::vector<unsigned char> data = pattern(10'000);
  const BusInitiator::Answer answer = initiators[0]->write_burst(kTarget, data, 0, 0);
  EXPECT_EQ(answer.status, tlm::TLM_UPDATED);
  EXPECT_EQ(answer.phase, tlm::END_REQ);
  run();
  const auto& writes = memories[2]->accesses;
  ASSERT_EQ(writes.size(), 3u);
  const std::vector<Bytes> sizes = {4096, 4096, 10'000 - 2 * 4096};
  Bytes offset = 0;
  Picoseconds start = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_TRUE(writes[i].write);
    EXPECT_EQ(writes[i].address, kTarget + offset);
    EXPECT_EQ(writes[i].bytes, sizes[i]);
    EXPECT_EQ(writes[i].first_byte, start + 2 * L);
    start += link_time(sizes[i]);
    EXPECT_EQ(writes[i].last_byte, start + 2 * L);
    offset += sizes[i];
  }
  EXPECT_EQ(memories[2]->get<unsigned char>(kTarget, data.size()), data);
  EXPECT_EQ(interfaces[0]->statistics().packets_sent, 3u);
  EXPECT_EQ(interfaces[0]->statistics().bytes_sent, 10'000u);
  EXPECT_EQ(interfaces[2]->statistics().packets_received, 3u);
  EXPECT_EQ(interfaces[2]->statistics().bytes_received, 10'000u);
  EXPECT_EQ(packets.in_flight(), 0u);
  EXPECT_EQ(payloads.in_flight() + initiators[0]->pool.in_flight(), 0u);
}

TEST_F(NetworkInterfaceTest, TheSenderIsAnsweredWhenTheLastByteHasLeft) {
  initiators[0]->write_burst(kTarget, pattern(10'000), 0, 0);
  run();
  EXPECT_EQ(initiators[0]->sent_at, std::vector<Picoseconds>{2 * link_time(4096) + link_time(10'000 - 2 * 4096)});
}

TEST_F(NetworkInterfaceTest, ASlowBurstLeavesAsItComes) {
  constexpr Picoseconds kFirst = 5'000, kLast = 5'000 + 40'000'000;
  ASSERT_GT(kLast - kFirst, 10 * link_time(8192));
  initiators[0]->write_burst(kTarget, pattern(8192), kFirst, kLast);
  run();
  const auto& writes = memories[2]->accesses;
  ASSERT_EQ(writes.size(), 2u);
  const Picoseconds middle = kFirst + (kLast - kFirst) / 2;
  EXPECT_EQ(writes[0].first_byte, kFirst + 2 * L);
  EXPECT_EQ(writes[0].last_byte, middle + 2 * L);
  EXPECT_EQ(writes[1].first_byte, middle + 2 * L);
  EXPECT_EQ(writes[1].last_byte, kLast + 2 * L);
  EXPECT_EQ(initiators[0]->sent_at, std::vector<Picoseconds>{kLast});
}

TEST_F(NetworkInterfaceTest, TheSemaphoreCountsTheBurstWhenAllOfItIsStored) {
  initiators[0]->write_burst(kTarget, pattern(6000), 0, 0, kSemaphore);
  run();
  const auto& signals = memories[2]->signals;
  ASSERT_EQ(signals.size(), 1u);
  EXPECT_EQ(signals[0].address, kSemaphore);
  EXPECT_EQ(signals[0].amount, 6000u);
  EXPECT_EQ(signals[0].at, 2 * L + link_time(4096) + link_time(6000 - 4096) + kStoreLatency);
}

TEST_F(NetworkInterfaceTest, ARegisterWriteIsPostedAndArrivesWithItsLastByte) {
  const BusInitiator::Answer answer = initiators[0]->write_word(kSemaphore, 5, 700);
  EXPECT_EQ(answer.status, tlm::TLM_COMPLETED);
  EXPECT_EQ(answer.response, tlm::TLM_OK_RESPONSE);
  run();
  const auto& signals = memories[2]->signals;
  ASSERT_EQ(signals.size(), 1u);
  EXPECT_EQ(signals[0].address, kSemaphore);
  EXPECT_EQ(signals[0].amount, 5u);
  EXPECT_EQ(signals[0].at, 700 + 2 * L + link_time(8));
  EXPECT_EQ(interfaces[0]->statistics().signals_sent, 1u);
  EXPECT_TRUE(initiators[0]->sent_at.empty()) << "a posted write has no answer";
}

TEST_F(NetworkInterfaceTest, ASignalDoesNotOvertakeTheDataSentBeforeIt) {
  initiators[0]->write_burst(kTarget, pattern(4096), 0, 0);
  initiators[0]->write_word(kSemaphore, 1);
  run();
  EXPECT_EQ(memories[2]->signals.at(0).at, 2 * L + link_time(4096) + link_time(8));
  EXPECT_GE(memories[2]->signals.at(0).at, memories[2]->accesses.at(0).last_byte);
}

TEST_F(NetworkInterfaceTest, WritesThatNothingAnswersAreCounted) {
  initiators[0]->write_burst(make_address(kThere, Region::kHbm, kCapacity - 10), pattern(4096), 0, 0);
  initiators[0]->write_word(make_address(kThere, Region::kDma, 0), 1);
  run();
  EXPECT_EQ(interfaces[2]->statistics().rejected_writes, 2u);
  EXPECT_EQ(initiators[0]->sent_at, std::vector<Picoseconds>{link_time(4096)}) << "the sender can't know";
  EXPECT_EQ(packets.in_flight(), 0u);
  for (const auto& router : routers) EXPECT_TRUE(router->idle());
}

TEST_F(NetworkInterfaceTest, RemoteMemoryCantBeRead) {
  auto& read = initiators[0]->pool.acquire(tlm::TLM_READ_COMMAND, kTarget, 64, true);
  EXPECT_EQ(initiators[0]->send(read).response, tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(queue.pending(), 0u);
}

TEST_F(NetworkInterfaceTest, APostedWriteIsAtMostEightWords) {
  auto& nine = initiators[0]->pool.acquire(tlm::TLM_WRITE_COMMAND, kSemaphore, 72, true);
  EXPECT_EQ(initiators[0]->send(nine).response, tlm::TLM_COMMAND_ERROR_RESPONSE);
  auto& odd = initiators[0]->pool.acquire(tlm::TLM_WRITE_COMMAND, kSemaphore, 5, true);
  EXPECT_EQ(initiators[0]->send(odd).response, tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(queue.pending(), 0u);
}

TEST_F(NetworkInterfaceTest, BothDirectionsAtOnceDoNotDisturbEachOther) {
  initiators[0]->write_burst(kTarget, pattern(4096), 0, 0);
  initiators[2]->write_burst(make_address(kHere, Region::kHbm, 0), pattern(4096), 0, 0);
  run();
  EXPECT_EQ(memories[2]->accesses.at(0).last_byte, 2 * L + link_time(4096));
  EXPECT_EQ(memories[0]->accesses.at(0).last_byte, 2 * L + link_time(4096));
}

TEST_F(NetworkInterfaceTest, ObserversSeePacketsLand) {
  std::vector<Picoseconds> landed;
  interfaces[2]->landed.attach([&](const BurstLanded& event) {
    EXPECT_EQ(event.packet.source, kHere);
    landed.push_back(event.when);
  });
  initiators[0]->write_burst(kTarget, pattern(4096), 0, 0);
  run();
  EXPECT_EQ(landed, std::vector<Picoseconds>{2 * L + link_time(4096) + kStoreLatency});
}

}  // namespace
}  // namespace podsim::ici
