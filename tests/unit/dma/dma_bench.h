// A DMA engine among memories and a link that can be predicted on paper: reads stream at one rate after a latency,
// local writes and remote ones at rates of their own.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "models/dma/dma_engine.h"
#include "tests/support/simulation.h"

namespace podsim::testing {

inline constexpr ChipId kSelf{2};
inline constexpr ChipId kNeighbour{3};
inline constexpr Bytes kMemoryBytes = kMiB;

constexpr Address here(Bytes offset) { return make_address(kSelf, Region::kHbm, offset); }
constexpr Address there(Bytes offset) { return make_address(kNeighbour, Region::kHbm, offset); }
constexpr Address semaphore_at(ChipId chip, Bytes number) { return make_address(chip, Region::kSemaphores, number); }

struct Pace {
  Picoseconds read_latency = 1000;
  Picoseconds write_latency = 300;
  Picoseconds read_per_byte = 1;
  Picoseconds write_per_byte = 1;
  Picoseconds link_per_byte = 10;
};

// Everything on the engine's bus.
class Surroundings final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  struct Access {
    Address address;
    Bytes bytes;
    Picoseconds called;
    Picoseconds done;
  };
  struct Signal {
    Address semaphore;
    std::uint64_t amount;
    Picoseconds when;
    bool operator==(const Signal&) const = default;
  };

  tlm::tlm_target_socket<64> socket{"socket"};
  std::vector<Access> reads;
  std::vector<Access> writes;
  std::vector<Signal> signals;
  std::vector<Address> notify;     // of remote writes
  std::vector<kernel::Rows> rows;  // of writes
  std::map<Region, std::vector<unsigned char>> contents;

  Surroundings(sc_core::sc_module_name name, kernel::EventQueue& queue, const Pace& pace)
      : sc_module(name), queue_(queue), pace_(pace) {
    socket.bind(*this);
  }
  ~Surroundings() override = default;

  [[nodiscard]] unsigned char* at(Address address) {
    std::vector<unsigned char>& region = contents[region_of(address)];
    region.resize(kMemoryBytes);
    return region.data() + offset_of(address);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    const Address address = payload.get_address();
    const bool remote = chip_of(address) != kSelf;
    bool within = true;
    kernel::burst_of(payload)->rows.for_each(payload.get_data_length(), [&](Bytes at, Bytes bytes) {
      within = within && offset_of(address) + at + bytes <= kMemoryBytes;
    });
    if (!within || (remote && payload.is_read())) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (remote) return send(payload, phase);
    delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(access(payload) - queue_.now()));
    return tlm::TLM_COMPLETED;
  }

  // Returns the time at which the access is complete.
  Picoseconds access(tlm::tlm_generic_payload& payload) {
    kernel::Burst& burst = *kernel::burst_of(payload);
    const Bytes bytes = payload.get_data_length();
    const auto length = static_cast<Picoseconds>(bytes);
    unsigned char* const data = payload.get_data_ptr();
    if (payload.is_read()) {
      const Picoseconds start = std::max(queue_.now(), read_free_);
      read_free_ = start + length * pace_.read_per_byte;
      burst.first_byte = start + pace_.read_latency;
      burst.last_byte = read_free_ + pace_.read_latency;
      copy(payload, [&](unsigned char* memory, Bytes done, Bytes piece) { std::memcpy(data + done, memory, piece); });
      reads.push_back({payload.get_address(), bytes, queue_.now(), burst.last_byte});
      return burst.last_byte;
    }
    EXPECT_GE(burst.first_byte, queue_.now()) << "a stream that has already passed";
    const Picoseconds start = std::max(burst.first_byte, write_free_);
    write_free_ = std::max(start + length * pace_.write_per_byte, burst.last_byte);
    copy(payload, [&](unsigned char* memory, Bytes done, Bytes piece) { std::memcpy(memory, data + done, piece); });
    writes.push_back({payload.get_address(), bytes, queue_.now(), write_free_ + pace_.write_latency});
    rows.push_back(burst.rows);
    return writes.back().done;
  }

  // Calls move(memory, offset in the payload, bytes) for each contiguous piece, if there is data.
  template <class Move>
  void copy(tlm::tlm_generic_payload& payload, Move&& move) {
    if (payload.get_data_ptr() == nullptr) return;
    Bytes done = 0;
    kernel::burst_of(payload)->rows.for_each(payload.get_data_length(), [&](Bytes distance, Bytes piece) {
      move(at(payload.get_address()) + distance, done, piece);
      done += piece;
    });
  }

  tlm::tlm_sync_enum send(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) {
    kernel::Burst& burst = *kernel::burst_of(payload);
    EXPECT_GE(burst.first_byte, queue_.now()) << "a stream that has already passed";
    const auto length = static_cast<Picoseconds>(payload.get_data_length());
    const Picoseconds start = std::max(burst.first_byte, link_free_);
    link_free_ = std::max(start + length * pace_.link_per_byte, burst.last_byte);
    writes.push_back({payload.get_address(), payload.get_data_length(), queue_.now(), link_free_});
    notify.push_back(burst.notify);
    rows.push_back(burst.rows);
    leaving_.emplace_back(&payload, link_free_);
    if (!left_.armed()) left_.arm_at(link_free_);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void left() {
    tlm::tlm_generic_payload& payload = *leaving_.front().first;
    leaving_.pop_front();
    if (!leaving_.empty()) left_.arm_at(leaving_.front().second);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    socket->nb_transport_bw(payload, phase, delay);
  }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    payload.set_response_status(region_of(payload.get_address()) == Region::kSemaphores
                                    ? tlm::TLM_OK_RESPONSE
                                    : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (!payload.is_response_ok()) return;
    std::uint64_t amount = 0;
    std::memcpy(&amount, payload.get_data_ptr(), sizeof amount);
    signals.push_back({payload.get_address(), amount, queue_.now()});
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  kernel::EventQueue& queue_;
  const Pace pace_;
  Picoseconds read_free_ = 0;
  Picoseconds write_free_ = 0;
  Picoseconds link_free_ = 0;
  std::deque<std::pair<tlm::tlm_generic_payload*, Picoseconds>> leaving_;
  kernel::Timer<Surroundings> left_{queue_, this, &Surroundings::left};
};

// Writes descriptors as the scalar core does, and notes when a stalled doorbell was taken.
class Doorbell final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<64> socket{"socket"};
  explicit Doorbell(sc_core::sc_module_name name) : sc_module(name) { socket.bind(*this); }
  ~Doorbell() override = default;

  // The write arrives `ahead` from now. Returns whether it was taken at once.
  bool ring(const dma::Descriptor& descriptor, Picoseconds ahead = 0) {
    const auto words = descriptor.words();
    auto& payload = pool.acquire(tlm::TLM_WRITE_COMMAND, unit_window(kSelf, Region::kDma, 0), words.size_bytes(), true);
    std::memcpy(payload.get_data_ptr(), words.data(), words.size_bytes());
    return transport(payload, ahead) == tlm::TLM_COMPLETED;
  }
  tlm::tlm_sync_enum transport(tlm::tlm_generic_payload& payload, Picoseconds ahead = 0) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(ahead));
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
    if (status == tlm::TLM_COMPLETED) payload.release();
    return status;
  }

  std::vector<Picoseconds> taken_at;
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

class DmaBench : public Simulation {
 protected:
  static constexpr Picoseconds kIssue = 5000;
  static constexpr Bytes kBurst = 1000;

  static dma::DmaConfig config() {
    return {.engines = 1,
            .queue_depth = 16,
            .contexts = 8,
            .outstanding_bursts = 4,
            .burst = {kBurst},
            .issue_cost = {kIssue}};
  }
  void build(const dma::DmaConfig& config, const Pace& pace_of_all = {}, bool with_data = false) {
    pace = pace_of_all;
    around = std::make_unique<Surroundings>("around", queue, pace);
    engine = std::make_unique<dma::DmaEngine>("engine", queue, payloads, config, kSelf, 100, with_data);
    engine->bus.bind(around->socket);
    engine->progress.attach([this](const dma::DmaProgress& progress) {
      if (progress.step == dma::DmaProgress::Step::kStarted)
        started.push_back({progress.descriptor.tag, progress.when});
      if (progress.step == dma::DmaProgress::Step::kDone) done.push_back({progress.descriptor.tag, progress.when});
      if (progress.step == dma::DmaProgress::Step::kSent) sent.push_back({progress.descriptor.tag, progress.when});
    });
  }
  // The same, with a doorbell, elaborated.
  void build_all(const dma::DmaConfig& config, const Pace& pace_of_all = {}, bool with_data = false) {
    build(config, pace_of_all, with_data);
    doorbell = std::make_unique<Doorbell>("doorbell");
    doorbell->socket.bind(engine->registers);
    run();
  }

  struct Event {
    std::uint64_t tag;
    Picoseconds when;
    bool operator==(const Event&) const = default;
    friend void PrintTo(const Event& event, std::ostream* out) { *out << event.tag << " at " << event.when; }
  };
  using Events = std::vector<Event>;

  Pace pace;
  kernel::PayloadPool payloads;
  std::unique_ptr<Surroundings> around;
  std::unique_ptr<dma::DmaEngine> engine;
  Events started, done, sent;
  std::unique_ptr<Doorbell> doorbell;
};

}  // namespace podsim::testing
