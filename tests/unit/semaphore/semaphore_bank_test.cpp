// The semaphore bank through its socket: signals, waits and their order, and what it refuses.
#include "models/semaphore/semaphore_bank.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "models/kernel/payload_pool.h"
#include "tests/support/simulation.h"

namespace podsim::semaphore {
namespace {

constexpr ChipId kChip{3};

// Makes register accesses as the scalar core does, and notes when its waits are granted.
class RegisterInitiator final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<64> socket{"socket"};
  explicit RegisterInitiator(sc_core::sc_module_name name) : sc_module(name) { socket.bind(*this); }
  ~RegisterInitiator() override = default;

  struct Grant {
    std::uintptr_t wait;  // as given to wait()
    Picoseconds when;
    bool operator==(const Grant&) const = default;
  };
  std::vector<Grant> grants;
  kernel::PayloadPool pool;

  tlm::tlm_response_status write(Address address, std::uint64_t word, Bytes bytes = 8, Picoseconds ahead = 0) {
    auto& payload = pool.acquire(tlm::TLM_WRITE_COMMAND, address, bytes, true);
    std::memcpy(payload.get_data_ptr(), &word, std::min<Bytes>(bytes, sizeof word));
    EXPECT_EQ(transport(payload, ahead), tlm::TLM_COMPLETED);
    const tlm::tlm_response_status status = payload.get_response_status();
    payload.release();
    return status;
  }
  void add(std::uint32_t semaphore, std::uint64_t amount, Picoseconds ahead = 0) {
    EXPECT_EQ(write(register_address(kChip, semaphore, kAdd), amount, 8, ahead), tlm::TLM_OK_RESPONSE);
  }
  // The wait reaches the bank `ahead` from now.
  void wait(std::uint32_t semaphore, std::uint64_t threshold, std::uintptr_t number, Picoseconds ahead = 0) {
    auto& payload = pool.acquire(tlm::TLM_WRITE_COMMAND, register_address(kChip, semaphore, kWait), 8, true);
    std::memcpy(payload.get_data_ptr(), &threshold, sizeof threshold);
    kernel::burst_of(payload)->initiator_tag = number;
    if (transport(payload, ahead) == tlm::TLM_ACCEPTED) return;
    EXPECT_TRUE(payload.is_response_ok());
    grants.push_back({number, now() + ahead});
    payload.release();
  }
  std::uint64_t read(std::uint32_t semaphore) {
    auto& payload = pool.acquire(tlm::TLM_READ_COMMAND, register_address(kChip, semaphore, kValue), 8, true);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    EXPECT_TRUE(payload.is_response_ok());
    std::uint64_t value = 0;
    std::memcpy(&value, payload.get_data_ptr(), sizeof value);
    payload.release();
    return value;
  }

 private:
  static Picoseconds now() { return static_cast<Picoseconds>(sc_core::sc_time_stamp().value()); }
  tlm::tlm_sync_enum transport(tlm::tlm_generic_payload& payload, Picoseconds ahead) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(ahead));
    return socket->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    EXPECT_TRUE(payload.is_response_ok());
    grants.push_back({kernel::burst_of(payload)->initiator_tag, now() + static_cast<Picoseconds>(delay.value())});
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

class SemaphoreBankTest : public testing::Simulation {
 protected:
  using Grants = std::vector<RegisterInitiator::Grant>;
  SemaphoreBankTest() {
    core.socket.bind(bank.registers);
    run();  // elaborate
  }
  ~SemaphoreBankTest() override { EXPECT_EQ(core.pool.in_flight(), waiting_at_end); }

  const SemaphoreConfig config{.dma = 4, .regular = 3, .barrier = 2};
  RegisterInitiator core{"core"};
  SemaphoreBank bank{"bank", queue, config};
  std::size_t waiting_at_end = 0;
};

TEST_F(SemaphoreBankTest, KindsAreContiguous) {
  for (const std::uint32_t i : {0u, 3u}) EXPECT_EQ(bank.kind(i), SemaphoreKind::kDma);
  for (const std::uint32_t i : {4u, 6u}) EXPECT_EQ(bank.kind(i), SemaphoreKind::kRegular);
  for (const std::uint32_t i : {7u, 8u}) EXPECT_EQ(bank.kind(i), SemaphoreKind::kBarrier);
}

TEST_F(SemaphoreBankTest, SignalsAddUpAndEachSemaphoreIsItsOwn) {
  for (std::uint32_t i = 0; i < config.total(); ++i) {
    core.add(i, 100 + i);
    core.add(i, 1);
  }
  for (std::uint32_t i = 0; i < config.total(); ++i) {
    EXPECT_EQ(core.read(i), 101 + i);
    EXPECT_EQ(bank.value(i), 101 + i);
  }
}

TEST_F(SemaphoreBankTest, AWaitThatIsMetIsGrantedAtOnceAndSubtracts) {
  core.add(5, 10);
  core.wait(5, 7, 1);
  EXPECT_EQ(core.grants, (Grants{{1, 0}}));
  EXPECT_EQ(core.read(5), 3u);
  EXPECT_EQ(bank.statistics().waits_that_stalled, 0u);
}

TEST_F(SemaphoreBankTest, AWaitIsGrantedByTheSignalThatMeetsIt) {
  core.wait(5, 7, 1);
  run_until(1000);
  core.add(5, 6);
  EXPECT_TRUE(core.grants.empty());
  run_until(2000);
  core.add(5, 3);
  EXPECT_EQ(core.grants, (Grants{{1, 2000}}));
  EXPECT_EQ(core.read(5), 2u) << "the threshold is subtracted, the rest stays";
  EXPECT_EQ(bank.statistics().signals, 2u);
  EXPECT_EQ(bank.statistics().waits, 1u);
  EXPECT_EQ(bank.statistics().waits_that_stalled, 1u);
}

TEST_F(SemaphoreBankTest, WaitsAreServedInTheOrderOfTheirIssue) {
  core.wait(4, 5, 1);
  core.wait(4, 1, 2);
  core.wait(4, 1, 3);
  core.add(4, 4);
  EXPECT_TRUE(core.grants.empty()) << "the small waits don't overtake the large one";
  core.add(4, 2);
  EXPECT_EQ(core.grants, (Grants{{1, 0}, {2, 0}}));
  core.wait(4, 0, 4);
  EXPECT_EQ(core.grants.size(), 2u) << "not even a wait for nothing";
  core.add(4, 1);
  EXPECT_EQ(core.grants, (Grants{{1, 0}, {2, 0}, {3, 0}, {4, 0}}));
  EXPECT_EQ(core.read(4), 0u);
}

TEST_F(SemaphoreBankTest, SemaphoresDontHoldEachOtherUp) {
  core.wait(4, 1, 1);
  core.wait(5, 1, 2);
  core.add(5, 1);
  EXPECT_EQ(core.grants, (Grants{{2, 0}}));
  waiting_at_end = 1;
}

TEST_F(SemaphoreBankTest, AWaitIssuedAheadOfTimeIsNotGrantedBeforeItsTime) {
  core.wait(4, 1, 1, 500);
  run_until(499);
  core.add(4, 1);
  EXPECT_EQ(core.grants, (Grants{{1, 500}}));
  core.wait(4, 1, 2, 500);
  run_until(2000);
  core.add(4, 1);
  EXPECT_EQ(core.grants.back(), (RegisterInitiator::Grant{2, 2000}));
}

// A program may signal its own chip a little ahead of simulated time; a wait of another of its tasks must not end before.
TEST_F(SemaphoreBankTest, ASignalIssuedAheadOfTimeGrantsNothingBeforeItsTime) {
  core.wait(4, 1, 1);
  core.add(4, 1, 700);
  EXPECT_EQ(core.grants, (Grants{{1, 700}}));
}

TEST_F(SemaphoreBankTest, RefusesWhatIsNoSemaphore) {
  EXPECT_EQ(core.write(register_address(kChip, config.total(), kAdd), 1), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  // An offset whose semaphore number does not fit into 32 bits.
  EXPECT_EQ(core.write(make_address(kChip, Region::kSemaphores, (Bytes{1} << 32) * kStride + kAdd), 1),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(core.write(register_address(kChip, 0, kAdd), 1, 4), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(core.write(register_address(kChip, 0, kAdd) + 1, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(core.write(register_address(kChip, 0, 24), 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
  for (std::uint32_t i = 0; i < config.total(); ++i) EXPECT_EQ(bank.value(i), 0u);
}

TEST_F(SemaphoreBankTest, AWriteToTheValueSetsIt) {
  core.add(2, 9);
  EXPECT_EQ(core.write(register_address(kChip, 2, kValue), 4), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(core.read(2), 4u);
}

TEST_F(SemaphoreBankTest, ListsThoseThatAreNotZero) {
  core.add(8, 1);
  core.add(1, 2);
  core.add(5, 3);
  core.add(6, 4);
  core.wait(6, 4, 1);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> found;
  bank.for_each_nonzero([&](std::uint32_t semaphore, std::uint64_t value) { found.emplace_back(semaphore, value); });
  EXPECT_EQ(found, (std::vector<std::pair<std::uint32_t, std::uint64_t>>{{1, 2}, {5, 3}, {8, 1}}));
}

TEST_F(SemaphoreBankTest, ObserversSeeEveryChange) {
  std::vector<std::int64_t> changes;
  bank.changed.attach([&](const SemaphoreChange& change) {
    EXPECT_EQ(change.semaphore, 4u);
    changes.push_back(change.change);
  });
  core.add(4, 10);
  core.wait(4, 8, 1);
  core.wait(4, 5, 2);
  core.add(4, 3);
  EXPECT_EQ(changes, (std::vector<std::int64_t>{10, -8, 3, -5}));
}

// Signals and waits at random: what is granted never exceeds what was signalled, and nobody waits who could go.
TEST_F(SemaphoreBankTest, NothingIsLostAndNothingIsMadeUp) {
  std::mt19937 random(5);
  std::deque<std::uint64_t> thresholds;  // of the waits not granted yet, in order
  std::uint64_t value = 0;
  std::size_t granted = 0;
  for (std::uintptr_t i = 0; i < 5000; ++i) {
    const std::uint64_t amount = random() % 20;
    if (random() % 2 == 0) {
      core.add(7, amount);
      value += amount;
    } else {
      core.wait(7, amount, i);
      thresholds.push_back(amount);
    }
    while (!thresholds.empty() && thresholds.front() <= value) {
      value -= thresholds.front();
      thresholds.pop_front();
      ++granted;
    }
    ASSERT_EQ(core.grants.size(), granted);
    ASSERT_EQ(core.read(7), value);
  }
  waiting_at_end = thresholds.size();
}

}  // namespace
}  // namespace podsim::semaphore
