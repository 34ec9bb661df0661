#include "models/dma/dma_engine.h"

#include <fmt/format.h>

#include <algorithm>

namespace podsim::dma {

using sc_core::sc_time;
using tlm::tlm_generic_payload;

namespace {
constexpr unsigned kDescriptorBytes = sizeof(std::uint64_t) * std::tuple_size_v<decltype(Descriptor{}.words())>;

Picoseconds ps_of(const sc_time& time) { return static_cast<Picoseconds>(time.value()); }
}  // namespace

// The end of a burst whose target answered with the time at which it will be done.
class DmaEngine::BurstTimer final : public kernel::TimerBase {
 public:
  explicit BurstTimer(DmaEngine& engine) : TimerBase(engine.events_), engine_(engine) {}

  tlm_generic_payload* payload = nullptr;
  BurstTimer* next_free = nullptr;

 private:
  void fire() override {
    next_free = engine_.free_burst_timer_;
    engine_.free_burst_timer_ = this;
    engine_.burst_done(*payload);
  }
  DmaEngine& engine_;
};

DmaEngine::DmaEngine(sc_core::sc_module_name name, kernel::EventQueue& queue, kernel::PayloadPool& payloads,
                     const DmaConfig& config, ChipId self, std::uint64_t first_transfer, bool with_data,
                     BurstPolicy* remote_bursts)
    : sc_module(name),
      events_(queue),
      payloads_(payloads),
      config_(config),
      self_(self),
      with_data_(with_data),
      remote_bursts_(remote_bursts),
      next_transfer_(first_transfer),
      contexts_(config.contexts, config.outstanding_bursts) {
  registers.bind(*this);
  bus.bind(*this);
}

DmaEngine::~DmaEngine() = default;

// --- registers -------------------------------------------------------------------------------------------------------

bool DmaEngine::valid(tlm_generic_payload& payload) const {
  const bool descriptor = payload.is_write() && unit_register(payload.get_address()) == kDescriptor &&
                          payload.get_data_length() == kDescriptorBytes && payload.get_data_ptr() != nullptr;
  payload.set_response_status(descriptor ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE);
  return descriptor;
}

tlm::tlm_sync_enum DmaEngine::nb_transport_fw(tlm_generic_payload& payload, tlm::tlm_phase&, sc_time& delay) {
  if (!valid(payload)) return tlm::TLM_COMPLETED;
  if (queue_.size() >= config_.queue_depth) {
    ++statistics_.queue_full;
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload.acquire();
    stalled_.push_back({&payload, events_.now() + ps_of(delay)});
    return tlm::TLM_ACCEPTED;
  }
  enqueue(payload, events_.now() + ps_of(delay));
  return tlm::TLM_COMPLETED;
}

void DmaEngine::b_transport(tlm_generic_payload& payload, sc_time& delay) {
  if (!valid(payload)) return;
  while (queue_.size() >= config_.queue_depth || !stalled_.empty()) {
    ++statistics_.queue_full;
    sc_core::wait(room_);  // only a blocking initiator, which is an SC_THREAD, comes here
    delay = sc_core::SC_ZERO_TIME;
  }
  enqueue(payload, events_.now() + ps_of(delay));
}

void DmaEngine::enqueue(tlm_generic_payload& payload, Picoseconds ready) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(payload.get_data_ptr());
  queue_.push_back({Descriptor::from_words(words), ready, next_transfer_++});
  ++statistics_.descriptors;
  progress.tell([&] {
    return DmaProgress{DmaProgress::Step::kQueued, queue_.back().descriptor, queue_.back().transfer, ready};
  });
  schedule_issue();
}

// --- issue -----------------------------------------------------------------------------------------------------------

void DmaEngine::schedule_issue() {
  if (queue_.empty() || issue_.armed() || contexts_.full()) return;
  issue_free_ = std::max({events_.now(), issue_free_, queue_.front().ready}) + config_.issue_cost.ps;
  issue_.arm_at(issue_free_);
}

void DmaEngine::issue() {
  const Queued next = queue_.front();
  queue_.pop_front();
  const unsigned number = contexts_.open(next.descriptor, next.transfer, chip_of(next.descriptor.destination) != self_);
  Context& context = contexts_[number];
  if (context.remote && remote_bursts_ != nullptr) {
    remote_bursts_->started(context.descriptor);
    context.way_free = std::max(events_.now(), context.turn) + remote_bursts_->pace(context.descriptor.bytes);
  }
  report(DmaProgress::Step::kStarted, context);

  if (!stalled_.empty()) {
    const auto [stalled, arrives] = stalled_.front();
    tlm_generic_payload& doorbell = *stalled;
    stalled_.pop_front();
    doorbell.set_response_status(tlm::TLM_OK_RESPONSE);
    enqueue(doorbell, std::max(events_.now(), arrives));
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    registers->nb_transport_bw(doorbell, phase, delay);
    doorbell.release();
  } else {
    room_.notify(sc_core::SC_ZERO_TIME);
  }

  if (next.descriptor.bytes == 0) finish(number);
  schedule_issue();
  pump();
}

// --- bursts ----------------------------------------------------------------------------------------------------------

void DmaEngine::pump() {
  for (unsigned number = contexts_.next(); number != ContextTable::kNone; number = contexts_.next()) {
    start_burst(number);
  }
}

Picoseconds DmaEngine::reading_starts(const Context& context) const {
  if (context.started > 0 || context.turn == 0) return events_.now();
  // As much ahead as the bursts that an engine without a burst policy would have on the way.
  const Picoseconds ahead = remote_bursts_->pace(config_.largest_remote_burst() * config_.outstanding_bursts);
  return std::max(events_.now(), context.turn - ahead);
}

void DmaEngine::start_burst(unsigned number) {
  const Context& context = contexts_[number];
  const Descriptor& copy = context.descriptor;
  const bool sized_by_policy = context.remote && remote_bursts_ != nullptr;
  const Bytes fixed = context.remote ? config_.largest_remote_burst() : config_.burst.bytes;
  const Bytes largest = sized_by_policy ? remote_bursts_->largest_burst(copy) : fixed;
  const Bytes bytes = std::min(largest, context.left());
  const Bytes offset = context.started;
  tlm_generic_payload& payload = payloads_.acquire(tlm::TLM_READ_COMMAND, copy.source + offset, bytes, with_data_);
  kernel::Burst& burst = *kernel::burst_of(payload);
  burst.transfer = context.transfer;
  burst.initiator_tag = number;
  sc_time delay = sc_core::SC_ZERO_TIME;
  if (sized_by_policy) {
    burst.pace = remote_bursts_->pace(bytes);
    delay = sc_time::from_value(static_cast<std::uint64_t>(reading_starts(context) - events_.now()));
  }

  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  bus->nb_transport_fw(payload, phase, delay);
  contexts_.burst_started(number, bytes);
  ++statistics_.bursts;
  if (!payload.is_response_ok()) {
    fault("reads", payload.get_address());
    return burst_done_at(payload, events_.now());  // nothing to write
  }

  // The same transaction goes on as the write: its data and its stream are those of the read.
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(copy.destination + offset);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  if (context.remote) burst.notify = copy.recv_semaphore;
  phase = tlm::BEGIN_REQ;
  delay = sc_core::SC_ZERO_TIME;
  const bool host = region_of(copy.source) == Region::kHost || region_of(copy.destination) == Region::kHost;
  (context.remote ? statistics_.remote_bytes : host ? statistics_.host_bytes : statistics_.local_bytes) += bytes;

  const tlm::tlm_sync_enum answer = bus->nb_transport_fw(payload, phase, delay);
  if (answer == tlm::TLM_COMPLETED) {
    if (!payload.is_response_ok()) fault("writes", payload.get_address());
    burst_done_at(payload, events_.now() + ps_of(delay));
  }
}

tlm::tlm_sync_enum DmaEngine::nb_transport_bw(tlm_generic_payload& payload, tlm::tlm_phase&, sc_time& delay) {
  if (delay == sc_core::SC_ZERO_TIME) {
    burst_done(payload);
  } else {
    burst_done_at(payload, events_.now() + ps_of(delay));
  }
  return tlm::TLM_COMPLETED;
}

void DmaEngine::burst_done_at(tlm_generic_payload& payload, Picoseconds when) {
  if (free_burst_timer_ == nullptr) {
    burst_timers_.push_back(std::make_unique<BurstTimer>(*this));
    free_burst_timer_ = burst_timers_.back().get();
  }
  BurstTimer& timer = *free_burst_timer_;
  free_burst_timer_ = timer.next_free;
  timer.payload = &payload;
  timer.arm_at(when);
}

void DmaEngine::burst_done(tlm_generic_payload& payload) {
  const auto number = static_cast<unsigned>(kernel::burst_of(payload)->initiator_tag);
  contexts_.burst_done(number, payload.get_data_length());
  payload.release();
  if (contexts_[number].finished == contexts_[number].descriptor.bytes) {
    finish(number);
    schedule_issue();
  }
  pump();
}

void DmaEngine::finish(unsigned number) {
  const Context& context = contexts_[number];
  const Descriptor done = context.descriptor;
  report(context.remote ? DmaProgress::Step::kSent : DmaProgress::Step::kDone, context);
  const bool counted_by_target = context.remote;
  if (context.remote && remote_bursts_ != nullptr) remote_bursts_->ended(done);
  contexts_.close(number);
  signal(done.send_semaphore, done.bytes);
  if (!counted_by_target) signal(done.recv_semaphore, done.bytes);
}

void DmaEngine::signal(Address semaphore, std::uint64_t amount) {
  if (semaphore == kNoSemaphore || amount == 0) return;
  tlm_generic_payload& write = payloads_.acquire(tlm::TLM_WRITE_COMMAND, semaphore, sizeof amount, true);
  *reinterpret_cast<std::uint64_t*>(write.get_data_ptr()) = amount;
  sc_time delay = sc_core::SC_ZERO_TIME;
  bus->b_transport(write, delay);
  if (!write.is_response_ok()) fault("signals", semaphore);
  write.release();
}

// --- reporting -------------------------------------------------------------------------------------------------------

void DmaEngine::fault(const char* what, Address address) {
  ++statistics_.faults;
  if (!first_fault_.empty()) return;
  first_fault_ = fmt::format("a DMA of chip {} {} {}: nothing answers there", index(self_), what, describe(address));
}

void DmaEngine::report(DmaProgress::Step step, const Context& context) {
  progress.tell([&] { return DmaProgress{step, context.descriptor, context.transfer, events_.now()}; });
}

}  // namespace podsim::dma
