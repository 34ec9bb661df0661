#include "models/tensor_core/tensor_core.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "models/tensor_core/command_check.h"

namespace podsim::tensor_core {

namespace {

constexpr std::size_t kCommandWords = std::tuple_size_v<decltype(Command{}.words())>;

const TensorCoreConfig& checked(const TensorCoreConfig& config) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(config.clock.hertz > 0, "TensorCore: clock must not be zero");
  require(config.vpu_lanes > 0 && config.vpu_sublanes > 0 && config.vpu_alus > 0,
          "TensorCore: vpu_lanes, vpu_sublanes and vpu_alus must be at least 1");
  for (const Rate rate :
       {config.mxu_bf16_rate, config.mxu_s8_rate, config.mxu_f32_rate, config.mxu_f8_rate, config.mxu_sustained,
        config.vpu_f32_rate, config.vpu_bf16_rate, config.vpu_s32_rate, config.vpu_s8_rate}) {
    require(rate.numerator > 0 && rate.denominator > 0, "TensorCore: a rate must be a positive fraction");
  }
  require(config.command_queue_depth > 0, "TensorCore: command_queue_depth must be at least 1");
  require(config.vector_burst.bytes >= 4 && config.vector_burst.bytes % 4 == 0 && config.vector_burst.bytes <= kGiB,
          "TensorCore: vector_burst must be a multiple of 4 bytes, at most 1 GiB");
  require(config.outstanding_bursts > 0, "TensorCore: outstanding_bursts must be at least 1");
  return config;
}

}  // namespace

TensorCore::TensorCore(sc_core::sc_module_name name, kernel::EventQueue& queue, kernel::PayloadPool& pool,
                       const TensorCoreConfig& config, bool with_data)
    : sc_module(name),
      events_(queue),
      port_(memory, pool, with_data),
      vector_unit_(checked(config), port_, statistics_),
      matrix_unit_(config, port_, statistics_),
      vector_lane_(queue, config.command_queue_depth, config.clock.time_for(config.command_issue_cycles),
                   {&vector_unit_}, listener(0)),
      matrix_lane_(queue, config.command_queue_depth, config.clock.time_for(config.command_issue_cycles),
                   {&matrix_unit_.pass(0), &matrix_unit_.pass(1)}, listener(1)) {
  registers.bind(*this);
  memory.bind(*this);
}

// Taking commands

tlm::tlm_sync_enum TensorCore::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;  // END_RESP of a stalled write
  const std::optional<Command> command = decode(payload);
  if (!command) return tlm::TLM_COMPLETED;
  const CommandLane::Entry entry{*command, events_.now() + static_cast<Picoseconds>(delay.value())};
  if (has_room_for(*command)) {
    lane_of(*command).enqueue(entry);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  ++statistics_.stalled_writes;
  payload.acquire();
  stalled_of(*command).push_back({&payload, entry});
  return tlm::TLM_ACCEPTED;
}

void TensorCore::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::optional<Command> command = decode(payload);
  if (!command) return;
  if (!has_room_for(*command)) {
    if (sc_core::sc_get_current_process_handle().proc_kind() != sc_core::SC_THREAD_PROC_) {
      note_error("command written while the queue was full, by an initiator that can't wait");
      payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      return;
    }
    ++statistics_.stalled_writes;
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    ++waiting_threads_;
    while (!has_room_for(*command)) sc_core::wait(room_);
    --waiting_threads_;
  }
  lane_of(*command).enqueue({*command, events_.now() + static_cast<Picoseconds>(delay.value())});
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

std::optional<Command> TensorCore::decode(tlm::tlm_generic_payload& payload) {
  const auto refuse = [&](tlm::tlm_response_status status, const char* why) {
    note_error(why);
    payload.set_response_status(status);
    return std::nullopt;
  };
  std::array<std::uint64_t, kCommandWords> words;
  if (!payload.is_write()) return refuse(tlm::TLM_COMMAND_ERROR_RESPONSE, "a command register can't be read");
  if (unit_register(payload.get_address()) != kCommand) {
    return refuse(tlm::TLM_ADDRESS_ERROR_RESPONSE, "no register at this address");
  }
  if (payload.get_byte_enable_ptr() != nullptr) {
    return refuse(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "a command is written whole, without byte enables");
  }
  if (payload.get_data_length() != sizeof words || payload.get_streaming_width() < sizeof words ||
      payload.get_data_ptr() == nullptr) {
    return refuse(tlm::TLM_BURST_ERROR_RESPONSE, "a command is written as one burst of eight words");
  }
  std::memcpy(words.data(), payload.get_data_ptr(), sizeof words);
  const Command command = Command::from_words(words.data());
  if (const char* fault = fault_of(command)) return refuse(tlm::TLM_GENERIC_ERROR_RESPONSE, fault);
  return command;
}

void TensorCore::admit_stalled(std::size_t lane) {
  if (stalled_[lane].empty()) {
    if (waiting_threads_ > 0) room_.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  const StalledWrite write = stalled_[lane].front();
  stalled_[lane].pop_front();
  lane_of(write.entry.command).enqueue({write.entry.command, std::max(write.entry.effective_at, events_.now())});
  write.payload->set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  registers->nb_transport_bw(*write.payload, phase, delay);
  write.payload->release();
}

// Carrying them out

CommandLane::Listener TensorCore::listener(std::size_t lane) {
  return {.room = [this, lane] { admit_stalled(lane); },
          .started = [this](const Command& command) { tell(CommandEvent::What::kStarted, command); },
          .finished = [this](const Command& command) { finish(command); },
          .failed =
              [this](const Command& command) {
                note_error(port_.error());
                tell(CommandEvent::What::kFailed, command);
              }};
}

void TensorCore::finish(const Command& command) {
  ++statistics_.commands;
  tell(CommandEvent::What::kFinished, command);
  if (command.semaphore != ~Address{0} && !port_.signal(command.semaphore, command.amount)) {
    note_error(port_.error());
  }
}

void TensorCore::tell(CommandEvent::What what, const Command& command) {
  command_probe.tell([&] { return CommandEvent{what, events_.now(), command}; });
}

void TensorCore::note_error(const std::string& text) {
  ++statistics_.errors;
  statistics_.last_error = text;
}

}  // namespace podsim::tensor_core
