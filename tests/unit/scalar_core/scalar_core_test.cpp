// The scalar core as its programs and its bus see it: one word a cycle in program order, writes that are posted, waits,
// reads, delays, and a register that can't take a write yet.
#include "models/scalar_core/scalar_core.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "firmware/device/awaitables.h"
#include "firmware/device/device.h"
#include "firmware/device/task.h"
#include "tests/support/simulation.h"

namespace podsim::scalar_core {
namespace {

using firmware::BusAwaitable;
using firmware::Task;
using Words = std::vector<std::uint64_t>;

// Registers that log what is written and answer as a test tells them.
class Registers final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  struct Write {
    Address address;
    Words words;
    Picoseconds when;  // at which it arrives
    bool operator==(const Write&) const = default;
  };

  tlm::tlm_target_socket<64> socket{"socket"};
  std::vector<Write> writes;
  std::set<Address> busy;  // can't take a write now; answer() does later
  std::set<Address> absent;
  std::map<Address, std::uint64_t> values;
  std::vector<std::pair<Address, Picoseconds>> reads;

  explicit Registers(sc_core::sc_module_name name) : sc_module(name) { socket.bind(*this); }
  ~Registers() override = default;

  // Answers the oldest access that the register left open.
  void answer(Address address, Picoseconds ahead = 0) {
    auto open = open_.find(address);
    ASSERT_NE(open, open_.end());
    tlm::tlm_generic_payload& payload = *open->second;
    open_.erase(open);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(ahead));
    socket->nb_transport_bw(payload, phase, delay);
    payload.release();
  }

 private:
  static Picoseconds now() { return static_cast<Picoseconds>(sc_core::sc_time_stamp().value()); }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                     sc_core::sc_time& delay) override {
    const Address address = payload.get_address();
    if (absent.contains(address)) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    Words words(payload.get_data_length() / 8);
    std::memcpy(words.data(), payload.get_data_ptr(), payload.get_data_length());
    writes.push_back({address, words, now() + static_cast<Picoseconds>(delay.value())});
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (!busy.contains(address)) return tlm::TLM_COMPLETED;
    payload.acquire();
    open_.emplace(address, &payload);
    return tlm::TLM_ACCEPTED;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    const Address address = payload.get_address();
    reads.emplace_back(address, now());
    if (absent.contains(address)) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    std::memcpy(payload.get_data_ptr(), &values[address], 8);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  std::multimap<Address, tlm::tlm_generic_payload*> open_;
};

constexpr Address kA = make_address(ChipId{1}, Region::kSemaphores, 0);
constexpr Address kB = make_address(ChipId{1}, Region::kSemaphores, 32);
constexpr Address kC = make_address(ChipId{1}, Region::kDma, 0);

class ScalarCoreTest : public testing::Simulation {
 protected:
  ScalarCoreTest() {
    core.bus.bind(registers.socket);
    run();  // elaborate
  }
  ~ScalarCoreTest() override { EXPECT_EQ(payloads.in_flight(), open_at_end); }

  void write(Address address, const Words& words) { core.write(address, words); }
  BusAwaitable wait(Address address, std::uint64_t value) {
    return {port, {.kind = PendingAccess::Kind::kWaitAtLeast, .address = address, .value = value}};
  }
  BusAwaitable read(Address address) { return {port, {.kind = PendingAccess::Kind::kRead, .address = address}}; }
  BusAwaitable delay(Picoseconds time) {
    return {port, {.kind = PendingAccess::Kind::kDelay, .value = static_cast<std::uint64_t>(time)}};
  }
  void start(Task& task) {
    task.start([](void*) {}, nullptr);
  }

  const ScalarCoreConfig config{.clock = {940'000'000}, .contexts = 32, .wake_cycles = 4};
  // A cycle and the wake-up of 940 MHz, rounded to the picosecond nearest.
  static constexpr Picoseconds kCycle = 1064;
  static constexpr Picoseconds kWake = 4255;

  kernel::PayloadPool payloads;
  Registers registers{"registers"};
  ScalarCore core{"core", queue, payloads, config};
  const ici::TorusShape torus{{{"x", 1, false}}};
  firmware::Device device{ChipId{1}, core, torus, firmware::Resources{}};
  firmware::IssuePort port{device, core};
  std::size_t open_at_end = 0;
};

TEST_F(ScalarCoreTest, WritesOneWordACycleInOrder) {
  write(kA, {1});
  write(kC, {1, 2, 3, 4, 5, 6});
  write(kB, {7});
  EXPECT_EQ(registers.writes, (std::vector<Registers::Write>{
                                  {kA, {1}, kCycle}, {kC, {1, 2, 3, 4, 5, 6}, 7 * kCycle}, {kB, {7}, 8 * kCycle}}));
  EXPECT_EQ(core.statistics().bus_words, 8u);
}

TEST_F(ScalarCoreTest, ABusThatHasBeenIdleStartsAfresh) {
  write(kA, {1});
  run_until(1'000'000);
  write(kA, {2});
  EXPECT_EQ(registers.writes.at(1).when, 1'000'000 + kCycle);
}

TEST_F(ScalarCoreTest, AWaitThatIsMetCostsAWordAndTheWakeUp) {
  Picoseconds resumed = -1;
  const auto program = [&]() -> Task {
    co_await wait(kA, 5);
    resumed = now();
  };
  Task task = program();
  start(task);
  run();
  EXPECT_EQ(registers.writes, (std::vector<Registers::Write>{{kA, {5}, kCycle}}));
  EXPECT_EQ(resumed, kCycle + kWake);
  EXPECT_EQ(core.statistics().waits, 1u);
}

TEST_F(ScalarCoreTest, AWaitEndsOneWakeUpAfterItsAnswer) {
  registers.busy = {kA};
  Picoseconds resumed = -1;
  const auto program = [&]() -> Task {
    co_await wait(kA, 5);
    resumed = now();
  };
  Task task = program();
  start(task);
  EXPECT_FALSE(core.stalled()) << "a wait holds up nobody else";
  run_until(50'000);
  registers.answer(kA, 30);
  run();
  EXPECT_EQ(resumed, 50'000 + 30 + kWake);
}

TEST_F(ScalarCoreTest, AReadTakesTheRegistersValueWhenItsWordIsThrough) {
  registers.values[kA] = 42;
  std::uint64_t value = 0;
  Picoseconds resumed = -1;
  const auto program = [&]() -> Task {
    write(kB, {1, 2});
    value = co_await read(kA);
    resumed = now();
  };
  Task task = program();
  start(task);
  run();
  EXPECT_EQ(value, 42u);
  EXPECT_EQ(registers.reads, (std::vector<std::pair<Address, Picoseconds>>{{kA, 3 * kCycle}}));
  EXPECT_EQ(resumed, 3 * kCycle);
}

TEST_F(ScalarCoreTest, ADelayCountsFromTheLastWordIssued) {
  Picoseconds resumed = -1;
  const auto program = [&]() -> Task {
    write(kA, {1, 2});
    co_await delay(12'345);
    resumed = now();
  };
  Task task = program();
  start(task);
  run();
  EXPECT_EQ(resumed, 2 * kCycle + 12'345);
}

TEST_F(ScalarCoreTest, TasksShareTheBusAndResumeInOrderOfTime) {
  std::vector<std::pair<int, Picoseconds>> resumed;
  const auto program = [&](int number, Picoseconds time) -> Task {
    co_await delay(time);
    resumed.emplace_back(number, now());
    write(kA, {1});
    co_await delay(0);
    resumed.emplace_back(number + 10, now());
  };
  Task late = program(1, 9000), early = program(2, 4000), tie = program(3, 9000);
  start(late);
  start(early);
  start(tie);
  run();
  EXPECT_EQ(resumed,
            (std::vector<std::pair<int, Picoseconds>>{
                {2, 4000}, {12, 4000 + kCycle}, {1, 9000}, {3, 9000}, {11, 9000 + kCycle}, {13, 9000 + 2 * kCycle}}));
}

TEST_F(ScalarCoreTest, ARegisterThatCantTakeAWriteHoldsUpEverythingAfterIt) {
  registers.busy = {kC};
  Picoseconds resumed = -1;
  const auto program = [&]() -> Task {
    write(kC, {1, 2});
    write(kA, {3});
    write(kB, {4, 5});
    co_await delay(100);
    resumed = now();
  };
  Task task = program();
  start(task);
  EXPECT_TRUE(core.stalled());
  EXPECT_EQ(registers.writes.size(), 1u);
  run_until(80'000);
  registers.busy.clear();
  registers.answer(kC);
  EXPECT_FALSE(core.stalled());
  run();
  EXPECT_EQ(registers.writes,
            (std::vector<Registers::Write>{
                {kC, {1, 2}, 2 * kCycle}, {kA, {3}, 80'000 + kCycle}, {kB, {4, 5}, 80'000 + 3 * kCycle}}));
  EXPECT_EQ(resumed, 80'000 + 3 * kCycle + 100);
  EXPECT_EQ(core.statistics().stalled, 80'000);
}

TEST_F(ScalarCoreTest, AHeldWriteKeepsAllItsWords) {
  registers.busy = {kC};
  write(kC, {1});
  write(kA, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13});
  registers.answer(kC);
  EXPECT_EQ(registers.writes.at(1).words, (Words{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
}

TEST_F(ScalarCoreTest, AHeldWriteMayStallAgain) {
  registers.busy = {kC};
  write(kC, {1});
  write(kC, {2});
  write(kA, {3});
  run_until(10'000);
  registers.answer(kC);
  EXPECT_TRUE(core.stalled());
  EXPECT_EQ(registers.writes.size(), 2u);
  run_until(20'000);
  registers.answer(kC);
  EXPECT_FALSE(core.stalled());
  EXPECT_EQ(registers.writes.at(2), (Registers::Write{kA, {3}, 20'000 + kCycle}));
}

// The register answers before the write's last word is through: what follows is still a word a cycle.
TEST_F(ScalarCoreTest, AnEarlyAnswerDoesNotShortenTheBus) {
  registers.busy = {kC};
  write(kC, {1, 2, 3, 4, 5, 6});
  write(kA, {7});
  registers.answer(kC);
  EXPECT_EQ(registers.writes.at(1), (Registers::Write{kA, {7}, 7 * kCycle}));
}

TEST_F(ScalarCoreTest, ListsTheProgramsThatAreBlocked) {
  registers.busy = {kA, kB, kC};
  const auto program = [&](Address address, std::uint64_t value) -> Task { co_await wait(address, value); };
  Task first = program(kA, 1), second = program(kB, 2), third = program(kA, 3), held = program(kB, 4);
  start(first);
  start(second);
  start(third);
  write(kC, {0});
  start(held);
  const auto blocked = [&] {
    std::vector<std::uint64_t> values;
    core.for_each_blocked([&](const PendingAccess& access) { values.push_back(access.value); });
    return values;
  };
  EXPECT_EQ(blocked(), (std::vector<std::uint64_t>{1, 2, 3, 4})) << "also the wait behind a stalled write";
  registers.answer(kB);
  EXPECT_EQ(blocked(), (std::vector<std::uint64_t>{1, 3, 4}));
  run();
  registers.answer(kA);
  registers.answer(kA);
  registers.answer(kC);
  registers.answer(kB);
  EXPECT_TRUE(blocked().empty());
  run();
}

TEST_F(ScalarCoreTest, ObserversSeeAWaitFromItsIssueToItsEnd) {
  registers.busy = {kA};
  std::vector<std::pair<Picoseconds, Picoseconds>> waits;
  core.wait_ended.attach([&](const WaitEnded& wait) { waits.emplace_back(wait.began, wait.ended); });
  const auto program = [&]() -> Task { co_await wait(kA, 1); };
  Task task = program();
  start(task);
  run_until(20'000);
  registers.answer(kA);
  run();
  EXPECT_EQ(waits, (std::vector<std::pair<Picoseconds, Picoseconds>>{{kCycle, 20'000 + kWake}}));
}

TEST_F(ScalarCoreTest, SaysWhereNothingAnswers) {
  registers.absent = {kA, kB};
  write(kA, {1});
  EXPECT_EQ(core.first_fault(), "a program writes chip 1 semaphores+0x0: nothing answers there");
  write(kB, {1});
  EXPECT_EQ(core.first_fault(), "a program writes chip 1 semaphores+0x0: nothing answers there") << "the first";
}

TEST_F(ScalarCoreTest, AWaitWhereNothingAnswersNeverEndsAndIsListed) {
  registers.absent = {kA};
  const auto program = [&]() -> Task { co_await wait(kA, 1); };
  Task task = program();
  start(task);
  unsigned blocked = 0;
  core.for_each_blocked([&](const PendingAccess&) { ++blocked; });
  EXPECT_EQ(blocked, 1u);
  EXPECT_EQ(core.first_fault(), "a program waits at chip 1 semaphores+0x0: nothing answers there");
}

}  // namespace
}  // namespace podsim::scalar_core
