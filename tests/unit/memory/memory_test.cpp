// What every memory does, shown on a VMEM and a host memory of one byte per picosecond, whose times can be told by eye.
#include "models/memory/memory.h"

#include <gtest/gtest.h>

#include <numeric>

#include "models/memory/hbm.h"
#include "models/memory/host_memory.h"
#include "models/memory/vmem.h"
#include "tests/support/simulation.h"
#include "tests/unit/memory/burst_initiator.h"

namespace podsim::memory {
namespace {

constexpr Picoseconds kReadLatency = 700;
constexpr Picoseconds kWriteLatency = 300;
constexpr Address kBase = make_address(ChipId{5}, Region::kHost, 0);

HostMemoryConfig byte_per_picosecond() {
  return {.capacity = {kMiB},
          .bandwidth = {1'000'000'000'000},
          .read_latency = {kReadLatency},
          .write_latency = {kWriteLatency}};
}

class MemoryTest : public testing::Simulation {
 protected:
  MemoryTest() {
    initiator.socket.bind(memory.socket);
    run();  // elaborate
  }
  testing::BurstInitiator initiator{"initiator"};
  HostMemory memory{"memory", byte_per_picosecond()};
};

TEST_F(MemoryTest, ReadStreamsAtMemoryRateAfterTheLatency) {
  const testing::Answer answer = initiator.read(kBase, 4096, 1000);
  EXPECT_EQ(answer.status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(answer.first_byte, 1000 + kReadLatency);
  EXPECT_EQ(answer.last_byte, 1000 + 4096 + kReadLatency);
  EXPECT_EQ(answer.complete, answer.last_byte);
}

TEST_F(MemoryTest, FastWriteIsPacedByTheMemory) {
  const testing::Answer answer = initiator.write(kBase, 4096, 1000, 1500);
  EXPECT_EQ(answer.complete, 1000 + 4096 + kWriteLatency);
}

TEST_F(MemoryTest, SlowWriteIsPacedByTheStreamAndLeavesTheMemoryToOthers) {
  const testing::Answer slow = initiator.write(kBase, 4096, 1000, 100'000);
  EXPECT_EQ(slow.complete, 100'000 + kWriteLatency);
  // The memory gave 4,096 ps to the slow stream, not 99,000.
  const testing::Answer next = initiator.read(kBase, 100, 1000);
  EXPECT_EQ(next.first_byte, 1000 + 4096 + kReadLatency);
}

TEST_F(MemoryTest, ReadsAndWritesShareTheBandwidth) {
  initiator.read(kBase, 1000);
  EXPECT_EQ(initiator.write(kBase, 1000, 0, 0).complete, 2000 + kWriteLatency);
  EXPECT_EQ(initiator.read(kBase, 1000).complete, 3000 + kReadLatency);
  EXPECT_EQ(memory.statistics().busy, 3000);
}

// A copy within one memory reads a burst, writes it when it comes out, and reads the next meanwhile.
TEST_F(MemoryTest, CopyWithinAMemoryLosesNoBandwidthToItsLatency) {
  Picoseconds last = 0;
  constexpr int kBursts = 32;
  for (int i = 0; i < kBursts; ++i) {
    const testing::Answer read = initiator.read(kBase, 4096);
    last = initiator.write(kBase, 4096, read.first_byte, read.last_byte).complete;
  }
  EXPECT_EQ(memory.statistics().busy, 2 * kBursts * 4096);
  EXPECT_LE(last, 2 * kBursts * 4096 + kReadLatency + kWriteLatency);
}

TEST_F(MemoryTest, PayloadWithoutBurstIsAPoint) {
  tlm::tlm_generic_payload payload;
  unsigned char data[64] = {1, 2, 3};
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(kBase);
  payload.set_data_ptr(data);
  payload.set_data_length(64);
  payload.set_streaming_width(64);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::sc_time::from_value(500);
  EXPECT_EQ(initiator.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
  EXPECT_EQ(delay.value(), 500u + 64 + kWriteLatency);
  delay = sc_core::SC_ZERO_TIME;
  payload.set_command(tlm::TLM_READ_COMMAND);
  initiator.socket->b_transport(payload, delay);
  EXPECT_EQ(delay.value(), 64u + kReadLatency) << "the idle time before the write";
}

TEST_F(MemoryTest, BytesComeBackAndTheChipNumberDoesNotMatter) {
  std::vector<unsigned char> data(100'000);
  std::iota(data.begin(), data.end(), 3);
  initiator.write(kBase + 77, data, 0, 0);
  std::vector<unsigned char> back(data.size());
  initiator.read(make_address(ChipId{9}, Region::kHost, 77), back);
  EXPECT_EQ(back, data);
}

TEST_F(MemoryTest, RefusesWhatLiesOutOfRange) {
  EXPECT_EQ(initiator.read(kBase + kMiB - 64, 64).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(initiator.read(kBase + kMiB - 63, 64).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(initiator.read(kBase + kOffsetMask, 64).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(initiator.write(kBase, 2 * kMiB, 0, 0).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(memory.statistics().refused, 3u);
  EXPECT_EQ(memory.statistics().busy, 64);
}

TEST_F(MemoryTest, RefusesByteEnables) {
  tlm::tlm_generic_payload& payload = initiator.pool().acquire(tlm::TLM_READ_COMMAND, kBase, 4, false);
  unsigned char enables[4] = {0xff, 0, 0xff, 0};
  payload.set_byte_enable_ptr(enables);
  sc_core::sc_time delay;
  initiator.socket->b_transport(payload, delay);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  payload.release();
}

TEST_F(MemoryTest, DebugAccessTakesNoTime) {
  unsigned char data[4] = {1, 2, 3, 4};
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(kBase + 10);
  payload.set_data_ptr(data);
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  EXPECT_EQ(initiator.socket->transport_dbg(payload), 4u);
  unsigned char back[4] = {};
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_data_ptr(back);
  EXPECT_EQ(initiator.socket->transport_dbg(payload), 4u);
  EXPECT_EQ(back[3], 4);
  payload.set_address(kBase + kMiB);
  EXPECT_EQ(initiator.socket->transport_dbg(payload), 0u);
  EXPECT_EQ(memory.statistics().busy, 0);
}

TEST_F(MemoryTest, ProbeTellsWhatHappened) {
  std::vector<MemoryAccess> heard;
  memory.accesses.attach([&](const MemoryAccess& access) { heard.push_back(access); });
  initiator.write(kBase + 8, 512, 100, 900);
  initiator.read(kBase, 256);
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_TRUE(heard[0].write);
  EXPECT_EQ(heard[0].address, kBase + 8);
  EXPECT_EQ(heard[0].first_byte, 100);
  EXPECT_EQ(heard[0].complete, 900 + kWriteLatency);
  EXPECT_FALSE(heard[1].write);
  EXPECT_EQ(heard[1].bytes, 256u);
  EXPECT_EQ(memory.statistics().bytes_written, 512u);
  EXPECT_EQ(memory.statistics().bytes_read, 256u);
}

// The same traffic with and without bytes, on two memories of a kind.
template <class Kind, class Config>
void expect_same_times_without_data(const Config& config) {
  testing::BurstInitiator real_initiator("real_initiator");
  testing::BurstInitiator none_initiator("none_initiator");
  Kind real("real", config);
  Kind none("none", config);
  real_initiator.socket.bind(real.socket);
  none_initiator.socket.bind(none.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::vector<unsigned char> data(3000, 1);
  for (Bytes i = 0; i < 500; ++i) {
    const Address address = make_address(ChipId{0}, Region::kHbm, i * i * 977 % 100'000);
    const std::span<unsigned char> part(data.data(), 1 + i * 31 % 3000);
    const auto first = static_cast<Picoseconds>(i * 1000);
    if (i % 3 == 0) {
      ASSERT_EQ(real_initiator.read(address, part).complete, none_initiator.read(address, part.size()).complete);
    } else {
      ASSERT_EQ(real_initiator.write(address, std::span<const unsigned char>(part), first, first + 500).complete,
                none_initiator.write(address, part.size(), first, first + 500).complete);
    }
  }
  EXPECT_GT(real.footprint(), 0u);
  EXPECT_EQ(none.footprint(), 0u);
}
using MemoryData = testing::Simulation;
TEST_F(MemoryData, ChangesNoTimesInHbm) { expect_same_times_without_data<Hbm>(HbmConfig{}); }
TEST_F(MemoryData, ChangesNoTimesInVmem) { expect_same_times_without_data<Vmem>(VmemConfig{}); }
TEST_F(MemoryData, ChangesNoTimesInHostMemory) { expect_same_times_without_data<HostMemory>(HostMemoryConfig{}); }

using VmemTest = testing::Simulation;
TEST_F(VmemTest, PortsServeSideBySideAtTheirShareOfTheBandwidth) {
  testing::BurstInitiator initiator("initiator");
  Vmem vmem("vmem", {.capacity = {kMiB}, .bandwidth = {2'000'000'000'000}, .ports = 2, .latency = {50}});
  initiator.socket.bind(vmem.socket);
  run();
  EXPECT_EQ(initiator.read(0, 1000).complete, 1000 + 50);
  EXPECT_EQ(initiator.write(0, 1000, 0, 0).complete, 1000 + 50);
  EXPECT_EQ(initiator.read(0, 1000).complete, 2000 + 50);
  EXPECT_EQ(vmem.statistics().busy, 3000);
}

TEST_F(VmemTest, NeedsAPort) { EXPECT_THROW(Vmem("vmem", {.ports = 0}), std::invalid_argument); }

using MemoryThread = testing::Simulation;
TEST_F(MemoryThread, BlockingInitiatorBindsIn) {
  testing::ThreadInitiator initiator("initiator", kBase);
  HostMemory memory("memory", byte_per_picosecond());
  initiator.socket.bind(memory.socket);
  run();
  EXPECT_EQ(initiator.read_back, initiator.written);
  EXPECT_EQ(initiator.write_took, 256 + kWriteLatency);
  EXPECT_EQ(initiator.read_took, 256 + kReadLatency);
}

}  // namespace
}  // namespace podsim::memory
