// The chip's bus: which address goes where, and where answers go.
#include "models/bus/chip_bus.h"

#include <gtest/gtest.h>

#include "models/kernel/payload_pool.h"
#include "tests/support/simulation.h"

namespace podsim::bus {
namespace {

constexpr ChipId kSelf{7};
constexpr ChipId kOther{8};

// Answers everything, and remembers the last address by which it was reached.
class Target final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<64> socket{"socket"};
  explicit Target(sc_core::sc_module_name name) : sc_module(name) { socket.bind(*this); }
  ~Target() override = default;

  Address address = 0;
  unsigned calls = 0;
  tlm::tlm_generic_payload* open = nullptr;

  void answer(Picoseconds ahead) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(ahead));
    socket->nb_transport_bw(*open, phase, delay);
  }

 private:
  void note(const tlm::tlm_generic_payload& payload) {
    address = payload.get_address();
    ++calls;
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time&) override {
    note(payload);
    open = &payload;
    return tlm::TLM_ACCEPTED;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    note(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += sc_core::sc_time(5, sc_core::SC_PS);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    note(payload);
    return payload.get_data_length();
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
};

class Initiator final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<64> socket{"socket"};
  explicit Initiator(sc_core::sc_module_name name) : sc_module(name) { socket.bind(*this); }
  ~Initiator() override = default;

  std::vector<Picoseconds> answered_after;

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    answered_after.push_back(static_cast<Picoseconds>(delay.value()));
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

class ChipBusTest : public testing::Simulation {
 protected:
  ChipBusTest() {
    core.socket.bind(bus.initiators[0]);
    engine.socket.bind(bus.initiators[1]);
    bus.attach(Region::kHbm, hbm.socket);
    bus.attach(Region::kVmem, vmem.socket);
    bus.attach(Region::kSemaphores, semaphores.socket);
    bus.attach(Region::kDma, dma_0.socket);
    bus.attach(Region::kDma, dma_1.socket);
    bus.attach(Region::kTensorCore, tensor_core.socket);
    bus.attach(Region::kHost, host.socket);
    bus.attach_network(network.socket);
    run();  // elaborate
  }

  tlm::tlm_response_status b_transport(Address address) {
    auto& payload = pool.acquire(tlm::TLM_WRITE_COMMAND, address, 8, true);
    sc_core::sc_time delay;
    core.socket->b_transport(payload, delay);
    const tlm::tlm_response_status status = payload.get_response_status();
    EXPECT_EQ(delay, sc_core::sc_time(status == tlm::TLM_OK_RESPONSE ? 5 : 0, sc_core::SC_PS));
    payload.release();
    return status;
  }
  void expect_at(Address address, Target& target) {
    const unsigned before = target.calls;
    EXPECT_EQ(b_transport(address), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(target.calls, before + 1) << describe(address);
    EXPECT_EQ(target.address, address) << "addresses stay global";
  }

  kernel::PayloadPool pool;
  Initiator core{"core"};
  Initiator engine{"engine"};
  ChipBus bus{"bus", kSelf, 2, 8};
  Target hbm{"hbm"}, vmem{"vmem"}, semaphores{"semaphores"}, dma_0{"dma_0"}, dma_1{"dma_1"},
      tensor_core{"tensor_core"}, host{"host"}, network{"network"};
};

TEST_F(ChipBusTest, DecodesEveryRegionAndUnit) {
  for (const Bytes offset : {Bytes{0}, Bytes{0x1234}, kOffsetMask}) {
    expect_at(make_address(kSelf, Region::kHbm, offset), hbm);
    expect_at(make_address(kSelf, Region::kVmem, offset), vmem);
    expect_at(make_address(kSelf, Region::kSemaphores, offset), semaphores);
    expect_at(make_address(kSelf, Region::kHost, offset), host);
  }
  const Bytes last = (Bytes{1} << kUnitWindowBits) - 1;
  expect_at(unit_window(kSelf, Region::kDma, 0) + last, dma_0);
  expect_at(unit_window(kSelf, Region::kDma, 1), dma_1);
  expect_at(unit_window(kSelf, Region::kDma, 1) + last, dma_1);
  expect_at(unit_window(kSelf, Region::kTensorCore, 0), tensor_core);
}

TEST_F(ChipBusTest, AddressesOfOtherChipsGoToTheNetwork) {
  for (unsigned region = 0; region <= 0xff; region += 5) {
    expect_at(make_address(kOther, static_cast<Region>(region), 16), network);
  }
  expect_at(make_address(ChipId{0}, Region::kHbm, 0), network);
}

TEST_F(ChipBusTest, WhereNothingAnswersThereIsAnAddressError) {
  for (const Address nowhere :
       {unit_window(kSelf, Region::kDma, 2), unit_window(kSelf, Region::kTensorCore, 1),
        unit_window(kSelf, Region::kDma, 1u << 23), make_address(kSelf, static_cast<Region>(kRegionCount), 0),
        make_address(kSelf, static_cast<Region>(0xff), 0)}) {
    EXPECT_EQ(b_transport(nowhere), tlm::TLM_ADDRESS_ERROR_RESPONSE) << describe(nowhere);

    auto& payload = pool.acquire(tlm::TLM_WRITE_COMMAND, nowhere, 8, true);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(core.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(core.socket->transport_dbg(payload), 0u);
    payload.release();
  }
}

TEST_F(ChipBusTest, ALateAnswerGoesToTheInitiatorThatAsked) {
  auto& first = pool.acquire(tlm::TLM_WRITE_COMMAND, make_address(kSelf, Region::kHbm, 0), 8, true);
  auto& second = pool.acquire(tlm::TLM_WRITE_COMMAND, make_address(kOther, Region::kHbm, 0), 8, true);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  EXPECT_EQ(engine.socket->nb_transport_fw(first, phase, delay), tlm::TLM_ACCEPTED);
  EXPECT_EQ(core.socket->nb_transport_fw(second, phase, delay), tlm::TLM_ACCEPTED);
  network.answer(30);
  EXPECT_EQ(core.answered_after, std::vector<Picoseconds>{30});
  EXPECT_TRUE(engine.answered_after.empty());
  hbm.answer(40);
  EXPECT_EQ(engine.answered_after, std::vector<Picoseconds>{40});
  first.release();
  second.release();
}

TEST_F(ChipBusTest, APayloadFromOutsideMayBlock) {
  tlm::tlm_generic_payload plain;  // no Burst extension
  plain.set_address(make_address(kSelf, Region::kVmem, 8));
  sc_core::sc_time delay;
  core.socket->b_transport(plain, delay);
  EXPECT_TRUE(plain.is_response_ok());
  EXPECT_EQ(vmem.calls, 1u);
}

TEST_F(ChipBusTest, DebugAccessFollowsTheSameMap) {
  auto& payload = pool.acquire(tlm::TLM_READ_COMMAND, make_address(kSelf, Region::kHost, 8), 8, true);
  EXPECT_EQ(core.socket->transport_dbg(payload), 8u);
  EXPECT_EQ(host.calls, 1u);
  payload.release();
}

}  // namespace
}  // namespace podsim::bus
