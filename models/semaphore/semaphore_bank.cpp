#include "models/semaphore/semaphore_bank.h"

#include <algorithm>
#include <cstring>

namespace podsim::semaphore {

using sc_core::sc_time;
using tlm::tlm_generic_payload;

namespace {
std::uint64_t data_word(const tlm_generic_payload& payload) {
  std::uint64_t word = 0;
  std::memcpy(&word, payload.get_data_ptr(), sizeof word);
  return word;
}
}  // namespace

SemaphoreBank::SemaphoreBank(sc_core::sc_module_name name, kernel::EventQueue& queue, const SemaphoreConfig& config)
    : sc_module(name), queue_(queue), config_(config) {
  registers.bind(*this);
}

SemaphoreKind SemaphoreBank::kind(std::uint32_t semaphore) const {
  if (semaphore < config_.dma) return SemaphoreKind::kDma;
  return semaphore < config_.dma + config_.regular ? SemaphoreKind::kRegular : SemaphoreKind::kBarrier;
}

SemaphoreBank::Semaphore& SemaphoreBank::at(std::uint32_t semaphore) {
  const auto grown = [](std::vector<Semaphore>& some, std::uint32_t i) -> Semaphore& {
    if (i >= some.size()) some.resize(i + 1);
    return some[i];
  };
  switch (kind(semaphore)) {
    case SemaphoreKind::kDma: return grown(dma_, semaphore);
    case SemaphoreKind::kRegular: return grown(regular_, semaphore - config_.dma);
    case SemaphoreKind::kBarrier: break;
  }
  return grown(barrier_, semaphore - config_.dma - config_.regular);
}

std::uint64_t SemaphoreBank::value(std::uint32_t semaphore) const {
  return const_cast<SemaphoreBank*>(this)->at(semaphore).value;
}

void SemaphoreBank::for_each_nonzero(const std::function<void(std::uint32_t, std::uint64_t)>& visit) const {
  const auto scan = [&](const std::vector<Semaphore>& some, std::uint32_t first) {
    for (std::uint32_t i = 0; i < some.size(); ++i) {
      if (some[i].value != 0) visit(first + i, some[i].value);
    }
  };
  scan(dma_, 0);
  scan(regular_, config_.dma);
  scan(barrier_, config_.dma + config_.regular);
}

bool SemaphoreBank::valid(tlm_generic_payload& payload) const {
  if (offset_of(payload.get_address()) / kStride >= config_.total()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  } else if (payload.get_data_length() != 8 || payload.get_data_ptr() == nullptr) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  } else if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return true;
  }
  return false;
}

tlm::tlm_sync_enum SemaphoreBank::nb_transport_fw(tlm_generic_payload& payload, tlm::tlm_phase&, sc_time& delay) {
  if (!valid(payload)) return tlm::TLM_COMPLETED;
  const std::uint32_t semaphore = semaphore_of(payload.get_address());
  if (!payload.is_write() || offset_of(payload.get_address()) % kStride != kWait) {
    b_transport(payload, delay);
    return tlm::TLM_COMPLETED;
  }

  const std::uint64_t threshold = data_word(payload);
  Semaphore& state = at(semaphore);
  ++statistics_.waits;
  // A wait issued a few cycles ahead of time may be granted now: until then the value can only rise.
  if (!state.waited_for() && take(semaphore, state, threshold)) return tlm::TLM_COMPLETED;

  ++statistics_.waits_that_stalled;
  payload.acquire();
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  const Waiter waiter{&payload, threshold, queue_.now() + static_cast<Picoseconds>(delay.value())};
  if (!state.waited_for()) {
    state.first = waiter;
  } else {
    if (state.others == nullptr) state.others = &waiter_queues_.emplace_back();
    state.others->push_back(waiter);
  }
  return tlm::TLM_ACCEPTED;
}

void SemaphoreBank::b_transport(tlm_generic_payload& payload, sc_time& delay) {
  if (!valid(payload)) return;
  const std::uint32_t semaphore = semaphore_of(payload.get_address());
  const Bytes which = offset_of(payload.get_address()) % kStride;
  if (payload.is_write() && which == kAdd) {
    add(semaphore, data_word(payload), queue_.now() + static_cast<Picoseconds>(delay.value()));
  } else if (which == kValue) {
    std::uint64_t& value = at(semaphore).value;
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), &value, sizeof value);
    } else {
      value = data_word(payload);
    }
  } else {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  }
}

unsigned SemaphoreBank::transport_dbg(tlm_generic_payload& payload) {
  if (!payload.is_read() || !valid(payload)) return 0;
  const std::uint64_t now_at = value(semaphore_of(payload.get_address()));
  std::memcpy(payload.get_data_ptr(), &now_at, sizeof now_at);
  return sizeof now_at;
}

void SemaphoreBank::add(std::uint32_t semaphore, std::uint64_t amount, Picoseconds when) {
  Semaphore& state = at(semaphore);
  ++statistics_.signals;
  state.value += amount;
  changed.tell([&] { return SemaphoreChange{semaphore, state.value, static_cast<std::int64_t>(amount), when}; });
  if (state.waited_for()) serve(semaphore, state, when);
}

bool SemaphoreBank::take(std::uint32_t semaphore, Semaphore& state, std::uint64_t amount) {
  if (state.value < amount) return false;
  state.value -= amount;
  changed.tell([&] {
    return SemaphoreChange{semaphore, state.value, -static_cast<std::int64_t>(amount), queue_.now()};
  });
  return true;
}

void SemaphoreBank::Semaphore::next_waiter() {
  first = {};
  if (others == nullptr || others->empty()) return;
  first = others->front();
  others->pop_front();
}

void SemaphoreBank::serve(std::uint32_t semaphore, Semaphore& state, Picoseconds signalled) {
  while (state.waited_for() && take(semaphore, state, state.first.threshold)) {
    const Waiter waiter = state.first;
    state.next_waiter();
    waiter.payload->set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    const Picoseconds granted = std::max(waiter.issued, signalled);
    sc_time delay = sc_time::from_value(static_cast<std::uint64_t>(granted - queue_.now()));
    registers->nb_transport_bw(*waiter.payload, phase, delay);
    waiter.payload->release();
  }
}

}  // namespace podsim::semaphore
