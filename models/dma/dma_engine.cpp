#include "models/dma/dma_engine.h"

#include <fmt/format.h>

#include <algorithm>

namespace podsim::dma {

using sc_core::sc_time;
using tlm::tlm_generic_payload;

namespace {
constexpr unsigned kWordBytes = sizeof(std::uint64_t);
constexpr Bytes kAddressable = kOffsetMask + 1;  // of a region

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
      turns_(std::max(1u, config.overtakes)),
      contexts_(config) {
  registers.bind(*this);
  bus.bind(*this);
}

DmaEngine::~DmaEngine() = default;

// --- registers -------------------------------------------------------------------------------------------------------

bool DmaEngine::valid(tlm_generic_payload& payload) const {
  const bool descriptor = payload.is_write() && unit_register(payload.get_address()) == kDescriptor &&
                          (payload.get_data_length() == Descriptor::kWords * kWordBytes ||
                           payload.get_data_length() == Descriptor::kStridedWords * kWordBytes) &&
                          payload.get_data_ptr() != nullptr;
  payload.set_response_status(descriptor ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE);
  return descriptor;
}

tlm::tlm_sync_enum DmaEngine::nb_transport_fw(tlm_generic_payload& payload, tlm::tlm_phase&, sc_time& delay) {
  if (!valid(payload)) return tlm::TLM_COMPLETED;
  const unsigned level = level_of(descriptor_in(payload).priority);
  if (full(level)) {
    ++statistics_.queue_full;
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload.acquire();
    stalled_.push_back({&payload, events_.now() + ps_of(delay), level});
    return tlm::TLM_ACCEPTED;
  }
  enqueue(payload, events_.now() + ps_of(delay));
  return tlm::TLM_COMPLETED;
}

void DmaEngine::b_transport(tlm_generic_payload& payload, sc_time& delay) {
  if (!valid(payload)) return;
  const unsigned level = level_of(descriptor_in(payload).priority);
  while (full(level) || !stalled_.empty()) {
    ++statistics_.queue_full;
    sc_core::wait(room_);  // only a blocking initiator, which is an SC_THREAD, comes here
    delay = sc_core::SC_ZERO_TIME;
  }
  enqueue(payload, events_.now() + ps_of(delay));
}

Descriptor DmaEngine::descriptor_in(const tlm_generic_payload& payload) {
  return Descriptor::from_words(
      {reinterpret_cast<const std::uint64_t*>(payload.get_data_ptr()), payload.get_data_length() / kWordBytes});
}

void DmaEngine::enqueue(tlm_generic_payload& payload, Picoseconds ready) {
  const Descriptor descriptor = descriptor_in(payload);
  std::deque<Queued>& queue = queues_[level_of(descriptor.priority)];
  queue.push_back({descriptor, ready, next_transfer_++});
  ++statistics_.descriptors;
  progress.tell([&] {
    return DmaProgress{DmaProgress::Step::kQueued, queue.back().descriptor, queue.back().transfer, ready};
  });
  schedule_issue();
}

// --- issue -----------------------------------------------------------------------------------------------------------

unsigned DmaEngine::levels_queued() const {
  unsigned levels = 0;
  for (unsigned level = 0; level < kLevels; ++level) levels |= queues_[level].empty() ? 0 : 1u << level;
  return levels;
}

void DmaEngine::schedule_issue() {
  if (issue_.armed()) return;
  constexpr unsigned kUrgentLevel = 1u << level_of(Priority::kUrgent);
  unsigned able = levels_queued();
  if (contexts_.full()) able &= contexts_.full(Priority::kUrgent) ? 0 : kUrgentLevel;
  if (able == 0) return;
  issuing_ = turns_.next(able);
  issue_free_ = std::max({events_.now(), issue_free_, queues_[issuing_].front().ready}) + config_.issue_cost.ps;
  issue_.arm_at(issue_free_);
}

void DmaEngine::issue() {
  turns_.took(issuing_, levels_queued());
  Queued next = queues_[issuing_].front();
  queues_[issuing_].pop_front();
  if (!sensible(next.descriptor)) {
    next.descriptor.bytes = 0;  // nothing to move, and nothing to tell semaphores of
    next.descriptor.rows = 1;
  }
  const unsigned number = contexts_.open(next.descriptor, next.transfer, chip_of(next.descriptor.destination) != self_);
  Context& context = contexts_[number];
  if (context.remote && remote_bursts_ != nullptr) {
    remote_bursts_->started(context.descriptor);
    context.way_free = std::max(events_.now(), context.turn) + remote_bursts_->pace(context.descriptor.bytes);
  }
  report(DmaProgress::Step::kStarted, context);

  let_in(issuing_);
  if (next.descriptor.bytes == 0) finish(number);
  schedule_issue();
  pump();
}

// A place in a queue has become free.
void DmaEngine::let_in(unsigned level) {
  const auto stalled =
      std::find_if(stalled_.begin(), stalled_.end(), [&](const Stalled& s) { return s.level == level; });
  if (stalled != stalled_.end()) {
    tlm_generic_payload& doorbell = *stalled->doorbell;
    const Picoseconds arrives = stalled->arrives;
    stalled_.erase(stalled);
    doorbell.set_response_status(tlm::TLM_OK_RESPONSE);
    enqueue(doorbell, std::max(events_.now(), arrives));
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    registers->nb_transport_bw(doorbell, phase, delay);
    doorbell.release();
  } else {
    room_.notify(sc_core::SC_ZERO_TIME);
  }
}

bool DmaEngine::sensible(const Descriptor& copy) {
  if (!copy.strided()) return true;
  if (copy.rows == 0 || copy.bytes % copy.rows != 0) {
    fault(fmt::format("copies {} bytes in {} rows, which are not of the same length", copy.bytes, copy.rows));
    return false;
  }
  const auto reaches_out = [&](Address first, Bytes pitch) {
    return Wide{offset_of(first)} + Wide{copy.rows - 1} * pitch + copy.bytes / copy.rows > kAddressable;
  };
  const bool reads = reaches_out(copy.source, copy.source_pitch);
  if (!reads && !reaches_out(copy.destination, copy.destination_pitch)) return true;
  fault(fmt::format("{} {} rows of {} bytes, {} bytes apart, from {} on: they reach beyond the address map",
                    reads ? "reads" : "writes", copy.rows, copy.bytes / copy.rows,
                    reads ? copy.source_pitch : copy.destination_pitch,
                    describe(reads ? copy.source : copy.destination)));
  return false;
}

// --- bursts ----------------------------------------------------------------------------------------------------------

void DmaEngine::pump() {
  for (unsigned number = contexts_.next(); number != ContextTable::kNone; number = contexts_.next()) {
    start_burst(number);
  }
}

Bytes DmaEngine::largest_burst(const Context& context) const {
  if (context.host) return config_.largest_host_burst();
  if (!context.remote) return config_.burst.bytes;
  // Others are to overtake background copies: they are cut finely at any fidelity.
  const bool background = context.descriptor.priority == Priority::kBackground;
  if (remote_bursts_ == nullptr || background) return config_.largest_remote_burst();
  return remote_bursts_->largest_burst(context.descriptor);
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
  const Bytes bytes = std::min(largest_burst(context), context.left());
  const Bytes offset = context.started;
  const kernel::Rows source = copy.source_rows();
  tlm_generic_payload& payload =
      payloads_.acquire(tlm::TLM_READ_COMMAND, copy.source + source.distance(offset), bytes, with_data_);
  kernel::Burst& burst = *kernel::burst_of(payload);
  burst.rows = source.from(offset);
  burst.transfer = context.transfer;
  burst.initiator_tag = number;
  sc_time delay = sc_core::SC_ZERO_TIME;
  if (sized_by_policy) {
    burst.pace = remote_bursts_->pace(bytes);
    delay = sc_time::from_value(static_cast<std::uint64_t>(reading_starts(context) - events_.now()));
  }

  burst.trickles = context.host;
  if (context.host && !is_on_host(region_of(copy.source))) burst.pace = host_time_(bytes);

  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  bus->nb_transport_fw(payload, phase, delay);
  contexts_.burst_started(number, bytes);
  ++statistics_.bursts;
  if (!payload.is_response_ok()) {
    burst_fault("reads", payload, context);
    return burst_done_at(payload, events_.now());  // nothing to write
  }

  // The same transaction goes on as the write: its data and its stream are those of the read.
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  const kernel::Rows destination = copy.destination_rows();
  payload.set_address(copy.destination + destination.distance(offset));
  burst.rows = destination.from(offset);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  if (context.remote) burst.notify = copy.recv_semaphore;
  phase = tlm::BEGIN_REQ;
  delay = sc_core::SC_ZERO_TIME;
  (context.remote ? statistics_.remote_bytes
   : context.host ? statistics_.host_bytes
                  : statistics_.local_bytes) += bytes;

  const tlm::tlm_sync_enum answer = bus->nb_transport_fw(payload, phase, delay);
  if (answer == tlm::TLM_COMPLETED) {
    if (!payload.is_response_ok()) burst_fault("writes", payload, context);
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
  if (config_.completion_cost.ps == 0) return complete(number);
  const Picoseconds free = completing_.empty() ? events_.now() : completing_.back().when;
  completing_.push_back({number, free + config_.completion_cost.ps});
  if (!retire_.armed()) retire_.arm_at(completing_.front().when);
}

void DmaEngine::retire() {
  const unsigned number = completing_.front().context;
  completing_.pop_front();
  if (!completing_.empty()) retire_.arm_at(completing_.front().when);
  complete(number);
  schedule_issue();
  pump();
}

void DmaEngine::complete(unsigned number) {
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

void DmaEngine::fault(const std::string& what) {
  ++statistics_.faults;
  if (first_fault_.empty()) first_fault_ = fmt::format("a DMA of chip {} {}", index(self_), what);
}

void DmaEngine::fault(const char* what, Address address) {
  fault(fmt::format("{} {}: nothing answers there", what, describe(address)));
}

void DmaEngine::burst_fault(const char* what, const tlm_generic_payload& payload, const Context& context) {
  const Descriptor& copy = context.descriptor;
  const kernel::Rows& rows = payload.get_extension<kernel::Burst>()->rows;
  if (!rows.strided()) return fault(what, payload.get_address());
  const Address first = payload.is_read() ? copy.source : copy.destination;
  const Bytes row = (payload.get_address() - first - rows.start) / std::max<Bytes>(rows.pitch, 1);
  const Bytes last = row + rows.pieces(payload.get_data_length()) - 1;
  fault(fmt::format("{} rows {} to {} of {}, {} bytes each and {} bytes apart, from {} on: not all of them are memory",
                    what, row, last, copy.rows, rows.row, rows.pitch, describe(first)));
}

void DmaEngine::report(DmaProgress::Step step, const Context& context) {
  progress.tell([&] { return DmaProgress{step, context.descriptor, context.transfer, events_.now()}; });
}

}  // namespace podsim::dma
