// How the core takes commands: its queue, stalled writes, threads, errors, probes.
#include "tests/unit/tensor_core/tensor_core_fixture.h"

namespace podsim::testing {
namespace {

using tensor_core::Command;
using tensor_core::CommandEvent;
using tensor_core::DType;
using tensor_core::Opcode;
using tensor_core::TensorCoreConfig;

class CommandQueue : public TensorCoreTest {
 protected:
  // A command that takes the issue time alone.
  static Command empty(std::uint64_t amount) {
    return {.opcode = Opcode::kAdd,
            .a = hbm(0),
            .b = hbm(0),
            .destination = hbm(0),
            .count = 0,
            .semaphore = semaphore(8),
            .amount = amount};
  }
};

TEST_F(CommandQueue, AFullQueueStallsTheWriteUntilThereIsRoom) {
  Bench bench("b", queue, small_config(), false, 0, 0);
  // One runs, two are queued, the rest stall.
  for (std::uint64_t i = 1; i <= 3; ++i) EXPECT_EQ(bench.source.write(empty(i)).status, tlm::TLM_COMPLETED);
  for (std::uint64_t i = 4; i <= 6; ++i) EXPECT_EQ(bench.source.write(empty(i)).status, tlm::TLM_ACCEPTED);
  EXPECT_EQ(bench.source.pool.in_flight(), 3u);
  run();
  EXPECT_EQ(bench.source.taken_at, (std::vector<Picoseconds>{kIssue, 2 * kIssue, 3 * kIssue}));
  ASSERT_EQ(bench.memory.signals.size(), 6u);
  for (std::uint64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(bench.memory.signals[i].amount, i + 1) << "out of order";
    EXPECT_EQ(bench.memory.signals[i].at, static_cast<Picoseconds>(i + 1) * kIssue);
  }
  EXPECT_EQ(bench.source.pool.in_flight(), 0u);
  EXPECT_EQ(bench.core.statistics().stalled_writes, 3u);
}

// An SC_THREAD that uses b_transport, in the same simulation as the event queue.
struct CommandThread : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
  tlm::tlm_initiator_socket<64> socket{"socket"};
  std::vector<Picoseconds> returned_at;
  std::vector<tlm::tlm_response_status> responses;
  std::vector<Command> commands;

  explicit CommandThread(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(CommandThread);
    SC_THREAD(run);
    socket.bind(*this);
  }
  void run() {
    for (const Command& command : commands) {
      auto words = command.words();
      tlm::tlm_generic_payload payload;
      payload.set_write();
      payload.set_address(unit_window(kChip, Region::kTensorCore, 0));
      payload.set_data_ptr(reinterpret_cast<unsigned char*>(words.data()));
      payload.set_data_length(sizeof words);
      payload.set_streaming_width(sizeof words);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->b_transport(payload, delay);
      returned_at.push_back(static_cast<Picoseconds>(sc_core::sc_time_stamp().value()));
      responses.push_back(payload.get_response_status());
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

TEST_F(CommandQueue, AThreadWaitsInBTransport) {
  kernel::PayloadPool pool;
  CommandThread thread("thread");
  MemoryStub memory("memory", 0, 0, kMiB);
  tensor_core::TensorCore core("core", queue, pool, small_config(), false);
  thread.socket.bind(core.registers);
  core.memory.bind(memory.socket);
  for (std::uint64_t i = 1; i <= 5; ++i) thread.commands.push_back(empty(i));
  run();
  EXPECT_EQ(thread.returned_at, (std::vector<Picoseconds>{0, 0, 0, kIssue, 2 * kIssue}));
  EXPECT_EQ(thread.responses, std::vector<tlm::tlm_response_status>(5, tlm::TLM_OK_RESPONSE));
  ASSERT_EQ(memory.signals.size(), 5u);
  EXPECT_EQ(memory.signals.back().at, 5 * kIssue);
}

TEST_F(CommandQueue, BadWritesGetAnErrorResponse) {
  Bench bench("b", queue, small_config(), true, 0, 0);
  const auto words = empty(1).words();
  auto& source = bench.source;
  const auto response = [&](tlm::tlm_command kind, Bytes which, Bytes bytes) {
    const auto answer = source.transport(kind, which, words.data(), bytes);
    EXPECT_EQ(answer.status, tlm::TLM_COMPLETED);
    return answer.response;
  };
  EXPECT_EQ(response(tlm::TLM_READ_COMMAND, 0, 64), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(response(tlm::TLM_WRITE_COMMAND, 64, 64), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(response(tlm::TLM_WRITE_COMMAND, 0, 56), tlm::TLM_BURST_ERROR_RESPONSE);

  Command command = empty(1);
  command.opcode = static_cast<Opcode>(200);
  EXPECT_EQ(source.write(command).response, tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(bench.core.statistics().last_error, "unknown opcode");
  EXPECT_EQ(bench.core.statistics().errors, 4u);
  run();
  EXPECT_TRUE(bench.memory.signals.empty());

  EXPECT_EQ(source.write(empty(7)).response, tlm::TLM_OK_RESPONSE);
  run();
  EXPECT_EQ(bench.memory.signals.size(), 1u);
}

TEST_F(CommandQueue, ACommandThatMemoryRefusesIsBrokenOff) {
  Bench bench("b", queue, small_config(), true, 5 * kNs, 1, 64 * kKiB);
  Command past_the_end = empty(1);
  // Reads good, the write of the tenth burst runs out of memory.
  past_the_end.count = 1000;
  past_the_end.destination = hbm(64 * kKiB - 9 * 256);
  Command bad_operand = empty(2);
  bad_operand.count = 1000;
  bad_operand.b = hbm(64 * kKiB - 256);
  Command bad_matmul{.opcode = Opcode::kMatmul,
                     .type = DType::kF32,
                     .a = hbm(0),
                     .b = hbm(64 * kKiB - 512),
                     .destination = hbm(0),
                     .m = 32,
                     .k = 32,
                     .n = 32,
                     .semaphore = semaphore(8),
                     .amount = 3};
  bench.source.write(past_the_end);
  bench.source.write(bad_operand);
  bench.source.write(bad_matmul);
  bench.source.write(empty(4));
  run();
  EXPECT_EQ(bench.core.statistics().errors, 3u);
  EXPECT_EQ(bench.core.statistics().commands, 1u);
  EXPECT_NE(bench.core.statistics().last_error.find("TLM_ADDRESS_ERROR_RESPONSE"), std::string::npos)
      << bench.core.statistics().last_error;
  ASSERT_EQ(bench.memory.signals.size(), 1u) << "a command that failed must not tell its semaphore";
  EXPECT_EQ(bench.memory.signals[0].amount, 4u);
  EXPECT_EQ(bench.pool.in_flight(), 0u) << "payloads of a failed command leaked";
}

TEST_F(CommandQueue, NoSemaphoreIsToldWhenNoneIsNamed) {
  Bench bench("b", queue, small_config(), false, 0, 0);
  Command command = empty(1);
  command.semaphore = ~Address{0};
  bench.source.write(command);
  run();
  EXPECT_TRUE(bench.memory.signals.empty());
  EXPECT_EQ(bench.core.statistics().commands, 1u);
}

TEST_F(CommandQueue, TheProbeTellsStartAndEnd) {
  Bench bench("b", queue, small_config(), false, 4 * kNs, 0);
  std::vector<CommandEvent> events;
  bench.core.command_probe.attach([&](const CommandEvent& event) { events.push_back(event); });
  Command command = empty(9);
  command.count = 64;
  bench.source.write(command);
  command.destination = hbm(8 * kMiB);
  bench.source.write(command);
  run();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].what, CommandEvent::What::kStarted);
  EXPECT_EQ(events[0].time, kIssue);
  EXPECT_EQ(events[1].what, CommandEvent::What::kFinished);
  EXPECT_EQ(events[1].time, kIssue + (4 + 8 + 4) * kNs);
  EXPECT_EQ(events[1].command.amount, 9u);
  EXPECT_EQ(events[2].what, CommandEvent::What::kStarted);
  EXPECT_EQ(events[2].time, 2 * kIssue + 16 * kNs);
  EXPECT_EQ(events[3].what, CommandEvent::What::kFailed);
}

TEST_F(CommandQueue, ConfigurationsThatCantWorkAreRefused) {
  kernel::PayloadPool pool;
  int made = 0;
  const auto refused = [&](auto change) {
    TensorCoreConfig config;
    change(config);
    const std::string name = "core" + std::to_string(made++);
    EXPECT_THROW(tensor_core::TensorCore(name.c_str(), queue, pool, config, false), std::invalid_argument);
  };
  refused([](TensorCoreConfig& c) { c.clock = {0}; });
  refused([](TensorCoreConfig& c) { c.vpu_alus = 0; });
  refused([](TensorCoreConfig& c) { c.mxu_rows = 0; });
  refused([](TensorCoreConfig& c) { c.mxu_f32_rate = {0, 1}; });
  refused([](TensorCoreConfig& c) { c.vpu_s8_rate = {1, 0}; });
  refused([](TensorCoreConfig& c) { c.command_queue_depth = 0; });
  refused([](TensorCoreConfig& c) { c.vector_burst = {0}; });
  refused([](TensorCoreConfig& c) { c.vector_burst = {1023}; });
  refused([](TensorCoreConfig& c) { c.outstanding_bursts = 0; });
}

}  // namespace
}  // namespace podsim::testing
