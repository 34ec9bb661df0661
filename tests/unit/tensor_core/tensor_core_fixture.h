// A TensorCore between a source of commands and a memory that can be predicted on paper.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/tensor_core/tensor_core.h"
#include "tests/support/memory_stub.h"
#include "tests/support/simulation.h"

namespace podsim::testing {

inline constexpr ChipId kChip{3};

constexpr Address hbm(Bytes offset) { return make_address(kChip, Region::kHbm, offset); }
constexpr Address vmem(Bytes offset) { return make_address(kChip, Region::kVmem, offset); }
constexpr Address semaphore(Bytes offset) { return make_address(kChip, Region::kSemaphores, offset); }

// Writes commands as the scalar core would, and notes when a stalled one was taken.
class CommandSource final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<64> socket{"socket"};
  explicit CommandSource(sc_core::sc_module_name name) : sc_module(name) { socket.bind(*this); }
  ~CommandSource() override = default;

  struct Answer {
    tlm::tlm_sync_enum status;
    tlm::tlm_response_status response;
  };
  Answer write(const tensor_core::Command& command, Picoseconds delay = 0) {
    const auto words = command.words();
    return transport(tlm::TLM_WRITE_COMMAND, tensor_core::kCommand, words.data(), sizeof words, delay);
  }
  Answer transport(tlm::tlm_command kind, Bytes which, const void* data, Bytes bytes, Picoseconds delay = 0) {
    auto& payload = pool.acquire(kind, unit_window(kChip, Region::kTensorCore, 0) + which, bytes, true);
    std::memcpy(payload.get_data_ptr(), data, bytes);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time annotated = sc_core::sc_time::from_value(static_cast<std::uint64_t>(delay));
    const Answer answer{socket->nb_transport_fw(payload, phase, annotated), payload.get_response_status()};
    if (answer.status == tlm::TLM_COMPLETED) payload.release();
    return answer;
  }

  std::vector<Picoseconds> taken_at;  // stalled commands, in the order of their responses
  kernel::PayloadPool pool;

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override {
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    EXPECT_TRUE(payload.is_response_ok());
    taken_at.push_back(static_cast<Picoseconds>(sc_core::sc_time_stamp().value()));
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

// One core with its source and memory.
struct Bench {
  Bench(const std::string& name, kernel::EventQueue& queue, const tensor_core::TensorCoreConfig& config, bool with_data,
        Picoseconds latency, Picoseconds ps_per_byte, Bytes capacity = 4 * kMiB)
      : source((name + "_source").c_str()),
        memory((name + "_memory").c_str(), latency, ps_per_byte, capacity),
        core((name + "_core").c_str(), queue, pool, config, with_data) {
    source.socket.bind(core.registers);
    core.memory.bind(memory.socket);
  }

  kernel::PayloadPool pool;
  CommandSource source;
  MemoryStub memory;
  tensor_core::TensorCore core;
};

class TensorCoreTest : public Simulation {
 protected:
  // A cycle of 1 ns, so that expectations can be written down; ten cycles to issue; eight elements per cycle.
  static tensor_core::TensorCoreConfig small_config() {
    tensor_core::TensorCoreConfig config;
    config.clock = {1'000'000'000};
    config.command_issue_cycles = 10;
    config.command_queue_depth = 2;
    config.vpu_lanes = 4;
    config.vpu_sublanes = 2;
    config.vpu_alus = 1;
    config.vector_burst = {256};
    config.outstanding_bursts = 2;
    config.mxu_count = 1;
    config.mxu_rows = 4;
    config.mxu_columns = 4;
    config.mxu_weight_load = tensor_core::WeightLoad::kSerial;
    return config;
  }
  static constexpr Picoseconds kNs = kPicosecondsPerNanosecond;
  static constexpr Picoseconds kIssue = 10 * kNs;
};

}  // namespace podsim::testing
