// Descriptors on their way in: issue cost, queue depth, contexts, and what is refused.
#include <gtest/gtest.h>

#include "tests/unit/dma/dma_bench.h"

namespace podsim::dma {
namespace {

using testing::here;
using testing::there;

class DmaQueue : public testing::DmaBench {
 protected:
  static Descriptor nothing(std::uint64_t tag) { return {.source = here(0), .destination = here(8192), .tag = tag}; }
  static Descriptor copy(std::uint64_t tag, Bytes bytes) {
    return {.source = here(0), .destination = here(8192), .bytes = bytes, .tag = tag};
  }
};

TEST_F(DmaQueue, EachDescriptorCostsTheIssueCost) {
  build_all(config());
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_TRUE(doorbell->ring(nothing(i)));
  run();
  EXPECT_EQ(started, (Events{{0, kIssue}, {1, 2 * kIssue}, {2, 3 * kIssue}}));
  EXPECT_EQ(engine->statistics().descriptors, 3u);
}

TEST_F(DmaQueue, TheIssueCostCountsFromTheDoorbellsArrival) {
  build_all(config());
  EXPECT_TRUE(doorbell->ring(nothing(0), 700));
  run();
  EXPECT_EQ(started, (Events{{0, 700 + kIssue}}));
}

TEST_F(DmaQueue, AFullQueueStallsTheDoorbell) {
  DmaConfig small = config();
  small.queue_depth = 2;
  build_all(small);
  EXPECT_TRUE(doorbell->ring(nothing(0)));
  EXPECT_TRUE(doorbell->ring(nothing(1)));
  EXPECT_FALSE(doorbell->ring(nothing(2)));
  EXPECT_FALSE(doorbell->ring(nothing(3)));
  EXPECT_FALSE(engine->idle());
  run();
  EXPECT_EQ(doorbell->taken_at, (std::vector<Picoseconds>{kIssue, 2 * kIssue}));
  EXPECT_EQ(started, (Events{{0, kIssue}, {1, 2 * kIssue}, {2, 3 * kIssue}, {3, 4 * kIssue}}));
  EXPECT_EQ(engine->statistics().queue_full, 2u);
  EXPECT_TRUE(engine->idle());
}

// The doorbell was rung a little ahead of its time, and room came before that: it still arrives no earlier.
TEST_F(DmaQueue, AStalledDoorbellKeepsItsTimeOfArrival) {
  DmaConfig small = config();
  small.queue_depth = 1;
  build_all(small);
  EXPECT_TRUE(doorbell->ring(nothing(0)));
  EXPECT_FALSE(doorbell->ring(nothing(1), 3 * kIssue));
  run();
  EXPECT_EQ(started, (Events{{0, kIssue}, {1, 3 * kIssue + kIssue}}));
}

TEST_F(DmaQueue, WithOneContextTheNextDescriptorIsIssuedWhenTheFirstHasEnded) {
  DmaConfig one = config();
  one.contexts = 1;
  build_all(one);
  doorbell->ring(copy(0, kBurst));
  doorbell->ring(copy(1, kBurst));
  run();
  const Picoseconds first_done = kIssue + pace.read_latency + kBurst + pace.write_latency;
  EXPECT_EQ(started, (Events{{0, kIssue}, {1, first_done + kIssue}}));
  EXPECT_EQ(done.at(0), (Event{0, first_done}));
}

TEST_F(DmaQueue, ACopyOfNothingEndsAtOnceAndCountsNothing) {
  build_all(config());
  Descriptor local = nothing(0);
  local.send_semaphore = testing::semaphore_at(testing::kSelf, 8);
  local.recv_semaphore = testing::semaphore_at(testing::kSelf, 40);
  Descriptor remote = local;
  remote.destination = there(0);
  remote.tag = 1;
  doorbell->ring(local);
  doorbell->ring(remote);
  run();
  EXPECT_EQ(done, (Events{{0, kIssue}}));
  EXPECT_EQ(sent, (Events{{1, 2 * kIssue}}));
  EXPECT_TRUE(around->signals.empty());
  EXPECT_TRUE(around->reads.empty());
  EXPECT_TRUE(engine->idle());
}

TEST_F(DmaQueue, RefusesWhatIsNoDescriptor) {
  build_all(config());
  const Address window = unit_window(testing::kSelf, Region::kDma, 0);
  const auto refused = [&](tlm::tlm_command command, Address address, Bytes bytes) {
    auto& payload = doorbell->pool.acquire(command, address, bytes, true);
    payload.acquire();
    EXPECT_EQ(doorbell->transport(payload), tlm::TLM_COMPLETED);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
    payload.release();
  };
  refused(tlm::TLM_READ_COMMAND, window, 48);
  refused(tlm::TLM_WRITE_COMMAND, window + 8, 48);
  refused(tlm::TLM_WRITE_COMMAND, window, 40);
  EXPECT_TRUE(engine->idle());
}

// A blocking initiator as somebody else might write it.
class BlockingDriver final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<64> socket{"socket"};
  std::vector<Picoseconds> returned_at;

  explicit BlockingDriver(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(BlockingDriver);
    socket.bind(*this);
    SC_THREAD(main);
  }
  ~BlockingDriver() override = default;

 private:
  void main() {
    for (std::uint64_t i = 0; i < 4; ++i) {
      auto words = Descriptor{.source = here(0), .destination = here(8192), .tag = i}.words();
      tlm::tlm_generic_payload payload;
      payload.set_command(tlm::TLM_WRITE_COMMAND);
      payload.set_address(unit_window(testing::kSelf, Region::kDma, 0));
      payload.set_data_ptr(reinterpret_cast<unsigned char*>(words.all.data()));
      payload.set_data_length(static_cast<unsigned>(words.size_bytes()));
      payload.set_streaming_width(static_cast<unsigned>(words.size_bytes()));
      sc_core::sc_time delay;
      socket->b_transport(payload, delay);
      EXPECT_TRUE(payload.is_response_ok());
      wait(delay);
      returned_at.push_back(static_cast<Picoseconds>(sc_core::sc_time_stamp().value()));
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

TEST_F(DmaQueue, ABlockingInitiatorWaitsForRoom) {
  DmaConfig small = config();
  small.queue_depth = 2;
  build(small);
  BlockingDriver driver("driver");
  driver.socket.bind(engine->registers);
  run();
  EXPECT_EQ(driver.returned_at, (std::vector<Picoseconds>{0, 0, kIssue, 2 * kIssue}));
  EXPECT_EQ(started, (Events{{0, kIssue}, {1, 2 * kIssue}, {2, 3 * kIssue}, {3, 4 * kIssue}}));
}

}  // namespace
}  // namespace podsim::dma
