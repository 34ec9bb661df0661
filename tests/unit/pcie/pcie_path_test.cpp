// The path from a chip to host memory: endpoint, root complex, memory. Expected times are sums of configured latencies
// and of bytes on the wire at the link's rate (PcieOverhead, which has a test of its own).
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "models/memory/host_memory.h"
#include "models/pcie/in_flight_window.h"
#include "models/pcie/pcie_endpoint.h"
#include "models/pcie/root_complex.h"
#include "tests/support/simulation.h"
#include "tests/unit/memory/burst_initiator.h"

namespace podsim::pcie {
namespace {

constexpr Picoseconds kLink = 150'000;
constexpr Picoseconds kFabric = 80'000;
constexpr Picoseconds kMemoryRead = 90'000;
constexpr Picoseconds kMemoryWrite = 30'000;
constexpr Bytes kBurst = 64 * kKiB;

Address host_address(Bytes offset = 0) { return make_address(ChipId{0}, Region::kHost, offset); }

class PciePath : public testing::Simulation {
 protected:
  // A host with so many chips, each an initiator behind an endpoint.
  void build(unsigned chips, const PcieConfig& link, Bandwidth fabric = {1'000'000'000'000}) {
    const RootComplexConfig complex{.bandwidth_per_direction = fabric, .latency = {kFabric}};
    root = std::make_unique<RootComplex>("root", complex, chips);
    root->memory.bind(memory.socket);
    for (unsigned i = 0; i < chips; ++i) {
      initiators.push_back(std::make_unique<testing::BurstInitiator>(sc_core::sc_gen_unique_name("chip")));
      endpoints.push_back(std::make_unique<PcieEndpoint>(sc_core::sc_gen_unique_name("endpoint"), link));
      initiators[i]->socket.bind(endpoints[i]->bus);
      endpoints[i]->link.bind(root->ports[i]);
    }
    rate = SerialisationTime(endpoints[0]->overhead().packet_bandwidth());
    run();  // elaborate
  }
  void build_one(const PcieConfig& link = {}) { build(1, link); }

  const PcieOverhead& overhead() const { return endpoints[0]->overhead(); }
  testing::BurstInitiator& chip(unsigned i = 0) { return *initiators[i]; }

  memory::HostMemory memory{"memory",
                            {.capacity = {kGiB},
                             .bandwidth = {1'000'000'000'000},
                             .read_latency = {kMemoryRead},
                             .write_latency = {kMemoryWrite}}};
  std::unique_ptr<RootComplex> root;
  std::vector<std::unique_ptr<testing::BurstInitiator>> initiators;
  std::vector<std::unique_ptr<PcieEndpoint>> endpoints;
  SerialisationTime rate;  // of packets on one link
};

TEST_F(PciePath, WriteIsVisibleAfterTheWireAndTheLatenciesOneWay) {
  build_one();
  const testing::Answer answer = chip().write(host_address(), kBurst, 1000, 1000);
  EXPECT_EQ(answer.status, tlm::TLM_OK_RESPONSE);
  // The memory, sixty times as fast, takes what arrives as it arrives (cut-through).
  EXPECT_EQ(answer.complete, 1000 + rate(overhead().write_on_wire(kBurst)) + kLink + kFabric + kMemoryWrite);
  EXPECT_EQ(answer.first_byte, 1000) << "the initiator's interval is left alone";
  EXPECT_EQ(answer.last_byte, 1000);
}

TEST_F(PciePath, SlowWriteIsPacedByItsSource) {
  build_one();
  const testing::Answer answer = chip().write(host_address(), kBurst, 0, 50'000'000);
  EXPECT_EQ(answer.complete, 50'000'000 + kLink + kFabric + kMemoryWrite);
}

TEST_F(PciePath, ReadTakesTheRoundTripAndTheWire) {
  build_one();
  const testing::Answer answer = chip().read(host_address(), kBurst, 500);
  const Picoseconds round_trip = 2 * kLink + 2 * kFabric + kMemoryRead;
  EXPECT_EQ(round_trip, 550'000);
  EXPECT_EQ(answer.first_byte, 500 + round_trip);
  EXPECT_EQ(answer.complete, 500 + round_trip + rate(overhead().completions_on_wire(kBurst)));
  EXPECT_EQ(answer.last_byte, answer.complete);
}

TEST_F(PciePath, BytesArrive) {
  build_one();
  std::vector<unsigned char> data(10'000);
  std::iota(data.begin(), data.end(), 5);
  chip().write(host_address(123), data, 0, 0);
  std::vector<unsigned char> back(data.size());
  chip().read(host_address(123), back);
  EXPECT_EQ(back, data);
}

TEST_F(PciePath, StreamsReachThePcieModelsBandwidth) {
  build_one();
  constexpr int kBursts = 100;
  Picoseconds written = 0;
  for (int i = 0; i < kBursts; ++i) written = chip().write(host_address(), kBurst, 0, 0).complete;
  const auto expect_rate = [&](Picoseconds time, Bandwidth bandwidth) {
    const double achieved = kBursts * static_cast<double>(kBurst) * 1e12 / static_cast<double>(time);
    EXPECT_NEAR(achieved / static_cast<double>(bandwidth.bytes_per_second), 1.0, 0.001);
  };
  expect_rate(written - kLink - kFabric - kMemoryWrite, overhead().write_bandwidth(kBurst));
  run_until(written);
  Picoseconds read = 0;
  for (int i = 0; i < kBursts; ++i) read = chip().read(host_address(), kBurst).complete;
  expect_rate(read - written - 550'000, overhead().read_bandwidth(kBurst));
}

TEST_F(PciePath, ReadRequestsShareTheWayUpWithWrites) {
  build_one();
  constexpr int kBursts = 100;
  Picoseconds last = 0;
  for (int i = 0; i < kBursts; ++i) {
    last = std::max(last, chip().read(host_address(), kBurst).complete);
    last = std::max(last, chip().write(host_address(), kBurst, 0, 0).complete);
  }
  // The same number of each, as in the pcie-model's rw_each: the way up is the narrower one.
  const double each =
      kBursts * static_cast<double>(kBurst) * 1e12 / static_cast<double>(last - kLink - kFabric - kMemoryWrite);
  EXPECT_NEAR(each / static_cast<double>(overhead().read_write_bandwidth_each(kBurst).bytes_per_second), 1.0, 0.001);
  EXPECT_EQ(endpoints[0]->statistics().upstream_busy,
            kBursts * (rate(overhead().write_on_wire(kBurst)) + rate(overhead().requests_on_wire(kBurst))));
}

TEST_F(PciePath, BothDirectionsRunAtOnce) {
  build_one();
  const testing::Answer alone = chip().write(host_address(), kBurst, 0, 0);
  run_until(alone.complete);
  const testing::Answer write = chip().write(host_address(), kBurst, alone.complete, alone.complete);
  const testing::Answer read = chip().read(host_address(), kBurst);
  EXPECT_EQ(write.complete, 2 * alone.complete);
  // The read waits for neither the write's packets nor the memory, which has given the write its bytes' worth only.
  EXPECT_LE(read.first_byte, alone.complete + 550'000 + static_cast<Picoseconds>(kBurst));
}

TEST_F(PciePath, OutstandingReadsBoundTheBandwidth) {
  // Four reads of 512 bytes in 550 ns: 3.7 GB/s, where the link does 13.
  build_one({.outstanding_reads = 4});
  const Bytes window = 4 * 512;
  const testing::Answer one = chip().read(host_address(), window);
  EXPECT_EQ(one.complete, 550'000 + rate(overhead().completions_on_wire(window))) << "a window's worth flies at once";
  run_until(10'000'000);
  const testing::Answer long_read = chip().read(host_address(), kBurst);
  const Bytes windows = kBurst / window;
  const auto expected = static_cast<Picoseconds>(windows) * 550'000 + rate(overhead().completions_on_wire(window));
  EXPECT_NEAR(long_read.complete - 10'000'000, expected, windows) << "window after window, a round trip each";
}

TEST_F(PciePath, PostedCreditsBoundWrites) {
  build_one({.posted_credits = {2 * kKiB}});
  const testing::Answer answer = chip().write(host_address(), kBurst, 0, 0);
  const auto round_trips = static_cast<Picoseconds>(kBurst / (2 * kKiB) - 1);
  const Picoseconds expected =
      round_trips * 2 * kLink + rate(overhead().write_on_wire(2 * kKiB)) + kLink + kFabric + kMemoryWrite;
  EXPECT_NEAR(answer.complete, expected, round_trips);
}

TEST_F(PciePath, ChipsShareTheRootComplex) {
  // Four links of 13 GB/s into 16 GB/s: the fourth chip's burst waits for the three before it.
  build(4, {}, {16'000'000'000});
  Picoseconds last = 0;
  for (unsigned i = 0; i < 4; ++i) last = chip(i).write(host_address(), kBurst, 0, 0).complete;
  const Picoseconds fabric_time = SerialisationTime(Bandwidth{16'000'000'000})(kBurst);
  EXPECT_EQ(last, kLink + 4 * fabric_time + kFabric + kMemoryWrite);
  EXPECT_EQ(root->statistics().bytes_written, 4 * kBurst);
  EXPECT_EQ(root->statistics().upstream_busy, 4 * fabric_time);
  EXPECT_EQ(root->statistics().downstream_busy, 0);
}

TEST_F(PciePath, ChipsDoNotDisturbEachOtherWhereTheRootComplexIsWide) {
  build(4, {});
  const Picoseconds alone = rate(overhead().write_on_wire(kBurst)) + kLink + kFabric + kMemoryWrite;
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(chip(i).write(host_address(), kBurst, 0, 0).complete, alone);
}

TEST_F(PciePath, ALoneSmallReadDoesNotWaitForAnEmptyWindow) {
  build_one({.outstanding_reads = 4});
  Picoseconds at = 0;
  for (int i = 0; i < 4; ++i) {  // four tags: all of them at once
    const testing::Answer answer = chip().read(host_address(), 512, at);
    EXPECT_EQ(answer.first_byte, 550'000 + i * rate(overhead().completions_on_wire(512)));
  }
  // The fifth needs the first one's tag.
  const Picoseconds first_back = 550'000 + rate(overhead().completions_on_wire(512));
  EXPECT_EQ(chip().read(host_address(), 64).first_byte, first_back + 550'000);
}

TEST_F(PciePath, SmallReadsTakeATagEach) {
  build_one({.outstanding_reads = 4});
  constexpr int kReads = 400;
  Picoseconds last = 0;
  for (int i = 0; i < kReads; ++i) last = chip().read(host_address(), 64).complete;
  // Four reads in a round trip, however small: 4 x 64 B / 550 ns, and a little less for their own way down.
  const Picoseconds round = 550'000 + rate(overhead().completions_on_wire(64));
  EXPECT_NEAR(static_cast<double>(last), static_cast<double>(kReads / 4 * round), 0.01 * static_cast<double>(last));
}

TEST_F(PciePath, BandwidthIsNeverMoreThanTheWindowInARoundTrip) {
  build(1, {.outstanding_reads = 6});
  constexpr Bytes kRead = 16 * kKiB;
  Picoseconds last = 0;
  for (int i = 0; i < 200; ++i) last = chip().read(host_address(), kRead).complete;
  const double bound = 6.0 * 512 / 550'000;
  const double achieved = 200.0 * kRead / static_cast<double>(last - 550'000);
  EXPECT_LE(achieved, bound * 1.005);
  EXPECT_GE(achieved, bound * 0.9);
}

TEST_F(PciePath, RowsInHostMemoryAreTransferredOneByOne) {
  build_one();
  const auto wire = rate(32 * overhead().write_on_wire(100));
  EXPECT_EQ(chip().write_rows(host_address(), std::vector<unsigned char>(3200), {100, 256, 0}).complete,
            wire + kLink + kFabric + kMemoryWrite);
  run_until(1'000'000'000);
  const testing::Answer read = chip().read_rows(host_address(), 3200, {100, 256, 0});
  EXPECT_EQ(read.last_byte - read.first_byte, rate(32 * overhead().completions_on_wire(100)));
}

TEST_F(PciePath, ErrorsComeBack) {
  build_one();
  EXPECT_EQ(chip().read(host_address(kGiB), 64).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(chip().write(host_address(kGiB - 1), 64, 0, 0).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(endpoints[0]->statistics().refused, 2u);
  EXPECT_EQ(endpoints[0]->statistics().reads, 0u);
}

TEST_F(PciePath, ProbesTellOfEachStage) {
  build_one();
  std::vector<PcieTransfer> at_endpoint;
  std::vector<PcieTransfer> at_root;
  endpoints[0]->transfers.attach([&](const PcieTransfer& transfer) { at_endpoint.push_back(transfer); });
  root->transfers.attach([&](const PcieTransfer& transfer) { at_root.push_back(transfer); });
  const testing::Answer write = chip().write(host_address(8), 4096, 1000, 1000);
  chip().read(host_address(8), 4096);
  ASSERT_EQ(at_endpoint.size(), 2u);
  ASSERT_EQ(at_root.size(), 2u);
  EXPECT_TRUE(at_endpoint[0].write);
  EXPECT_EQ(at_endpoint[0].first_byte, 1000 + kLink);
  EXPECT_EQ(at_root[0].first_byte, 1000 + kLink + kFabric);
  EXPECT_EQ(at_root[0].complete, write.complete);
  EXPECT_FALSE(at_endpoint[1].write);
  EXPECT_EQ(at_endpoint[1].first_byte, 550'000);
}

TEST_F(PciePath, DataChangesNoTimes) {
  build(2, {});
  std::vector<unsigned char> data(kBurst, 1);
  for (int i = 0; i < 4; ++i) {
    const testing::Answer real = chip(0).write(host_address(), std::span<const unsigned char>(data), 0, 0);
    EXPECT_EQ(chip(1).write(host_address(), kBurst, 0, 0).complete, real.complete);
  }
}

using PciePathThread = testing::Simulation;
TEST_F(PciePathThread, BlockingInitiatorBindsIn) {
  const RootComplexConfig complex;
  testing::ThreadInitiator initiator("initiator", host_address(64));
  PcieEndpoint endpoint("endpoint", {});
  RootComplex root("root", complex, 1);
  memory::HostMemory memory("memory", {.bandwidth = {1'000'000'000'000}});
  initiator.socket.bind(endpoint.bus);
  endpoint.link.bind(root.ports[0]);
  root.memory.bind(memory.socket);
  run();
  EXPECT_EQ(initiator.read_back, initiator.written);
  const SerialisationTime rate(endpoint.overhead().packet_bandwidth());
  const Picoseconds on_wire = rate(endpoint.overhead().write_on_wire(256));
  EXPECT_EQ(initiator.write_took, on_wire + kLink + kFabric + kMemoryWrite);
  EXPECT_EQ(initiator.read_took, 550'000 + rate(endpoint.overhead().completions_on_wire(256)));
}

TEST(InFlightWindow, LoneStreamsDoNotWait) {
  InFlightWindow window(1000);
  EXPECT_EQ(window.grant(0, 300).first, 0);
  window.sent(300, 5000, 5500, 500);
  const InFlightWindow::Grant second = window.grant(10, 300);
  EXPECT_EQ(second.first, 10);
  EXPECT_EQ(second.last, 10);
  EXPECT_EQ(second.rounds, 0u);
}

TEST(InFlightWindow, AFullWindowWaitsForWhatComesBack) {
  InFlightWindow window(1000);
  (void)window.grant(0, 1000);
  window.sent(1000, 5000, 6000, 0);  // the first unit is back at 5001
  const InFlightWindow::Grant next = window.grant(0, 300);
  EXPECT_EQ(next.first, 5001);
  EXPECT_EQ(next.last, 5300);
  window.sent(300, 9000, 9000, 0);
  EXPECT_EQ(window.grant(0, 701).last, 9000) << "the last of them waits for the stream before";
}

TEST(InFlightWindow, AStreamLargerThanTheWindowGoesInPortions) {
  InFlightWindow window(1000);
  const InFlightWindow::Grant grant = window.grant(7, 2500);
  EXPECT_EQ(grant.first, 7);
  EXPECT_EQ(grant.last, 7) << "of its first portion";
  EXPECT_EQ(grant.rounds, 2u);
  EXPECT_EQ(grant.last_portion, 500u);
}

}  // namespace
}  // namespace podsim::pcie
