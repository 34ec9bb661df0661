#include "models/scalar_core/scalar_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace podsim::scalar_core {

using sc_core::sc_time;
using tlm::tlm_generic_payload;

void ScalarCore::AccessList::insert_after(PendingAccess* place, PendingAccess& access) {
  access.previous = place;
  access.next = place != nullptr ? place->next : first;
  (access.previous != nullptr ? access.previous->next : first) = &access;
  (access.next != nullptr ? access.next->previous : last) = &access;
}

void ScalarCore::AccessList::remove(PendingAccess& access) {
  (access.previous != nullptr ? access.previous->next : first) = access.next;
  (access.next != nullptr ? access.next->previous : last) = access.previous;
}

ScalarCore::ScalarCore(sc_core::sc_module_name name, kernel::EventQueue& queue, kernel::PayloadPool& payloads,
                       const ScalarCoreConfig& config)
    : sc_module(name),
      events_(queue),
      payloads_(payloads),
      config_(config),
      cycle_(config.clock.time_for(1)),
      wake_(config.clock.time_for(config.wake_cycles)) {
  bus.bind(*this);
}

void ScalarCore::write(Address address, std::span<const std::uint64_t> words) {
  if (stalled_ == nullptr) return issue_write(address, words);
  Held& held = held_.emplace_back();
  held.address = address;
  held.words.assign(words.begin(), words.end());
}

void ScalarCore::suspend(PendingAccess& access) {
  if (stalled_ == nullptr) return issue_access(access);
  held_.emplace_back().access = &access;
}

Picoseconds ScalarCore::occupy(std::size_t words) {
  statistics_.bus_words += words;
  bus_free_ = std::max(bus_free_, events_.now()) + static_cast<Picoseconds>(words) * cycle_;
  return bus_free_;
}

void ScalarCore::issue_write(Address address, std::span<const std::uint64_t> words) {
  tlm_generic_payload& payload = payloads_.acquire(tlm::TLM_WRITE_COMMAND, address, words.size_bytes(), true);
  std::memcpy(payload.get_data_ptr(), words.data(), words.size_bytes());
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = sc_time::from_value(static_cast<std::uint64_t>(occupy(words.size()) - events_.now()));
  if (bus->nb_transport_fw(payload, phase, delay) == tlm::TLM_ACCEPTED) {
    stalled_ = &payload;
    stalled_since_ = events_.now();
    return;
  }
  if (!payload.is_response_ok()) fault("writes", address);
  payload.release();
}

void ScalarCore::issue_access(PendingAccess& access) {
  switch (access.kind) {
    case PendingAccess::Kind::kDelay:
      resume_at(access, std::max(bus_free_, events_.now()) + static_cast<Picoseconds>(access.value));
      return;
    case PendingAccess::Kind::kRead:
      resume_at(access, occupy(1));  // the register is read at that very time
      return;
    case PendingAccess::Kind::kWaitAtLeast: break;
  }
  ++statistics_.waits;
  const Picoseconds issued = occupy(1);
  tlm_generic_payload& payload = payloads_.acquire(tlm::TLM_WRITE_COMMAND, access.address, sizeof access.value, true);
  std::memcpy(payload.get_data_ptr(), &access.value, sizeof access.value);
  kernel::burst_of(payload)->initiator_tag = reinterpret_cast<std::uintptr_t>(&access);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = sc_time::from_value(static_cast<std::uint64_t>(issued - events_.now()));
  access.began = issued;
  if (bus->nb_transport_fw(payload, phase, delay) == tlm::TLM_ACCEPTED) {
    blocked_.push_back(&access);
    return;
  }
  if (payload.is_response_ok()) {
    resume_at(access, issued + wake_);
  } else {
    fault("waits at", access.address);
    blocked_.push_back(&access);
  }
  payload.release();
}

tlm::tlm_sync_enum ScalarCore::nb_transport_bw(tlm_generic_payload& payload, tlm::tlm_phase&, sc_time& delay) {
  if (&payload == stalled_) {
    statistics_.stalled += events_.now() - stalled_since_;
    write_stalled.tell([&] { return WriteStalled{payload.get_address(), stalled_since_, events_.now()}; });
    stalled_ = nullptr;
    payload.release();
    release_held();
    return tlm::TLM_COMPLETED;
  }
  auto& access = *reinterpret_cast<PendingAccess*>(kernel::burst_of(payload)->initiator_tag);
  blocked_.erase(std::find(blocked_.begin(), blocked_.end(), &access));
  resume_at(access, events_.now() + static_cast<Picoseconds>(delay.value()) + wake_);
  payload.release();
  return tlm::TLM_COMPLETED;
}

void ScalarCore::release_held() {
  while (!held_.empty() && stalled_ == nullptr) {
    const Held next = std::move(held_.front());
    held_.pop_front();
    if (next.access != nullptr) {
      issue_access(*next.access);
    } else {
      issue_write(next.address, next.words);
    }
  }
}

void ScalarCore::resume_at(PendingAccess& access, Picoseconds when) {
  access.resume_at = when;
  PendingAccess* place = ready_.last;
  while (place != nullptr && place->resume_at > when) place = place->previous;
  ready_.insert_after(place, access);
  if (ready_.first == &access) resume_.arm_at(when);
}

void ScalarCore::resume_next() {
  PendingAccess& access = *ready_.first;
  ready_.remove(access);
  if (ready_.first != nullptr) resume_.arm_at(ready_.first->resume_at);
  if (access.kind == PendingAccess::Kind::kRead) read(access);
  if (access.kind == PendingAccess::Kind::kWaitAtLeast) {
    wait_ended.tell([&] { return WaitEnded{access, access.began, events_.now()}; });
  }
  access.program.resume();
}

void ScalarCore::read(PendingAccess& access) {
  tlm_generic_payload& payload = payloads_.acquire(tlm::TLM_READ_COMMAND, access.address, sizeof access.result, true);
  sc_time delay = sc_core::SC_ZERO_TIME;
  bus->b_transport(payload, delay);
  if (payload.is_response_ok()) {
    std::memcpy(&access.result, payload.get_data_ptr(), sizeof access.result);
  } else {
    fault("reads", access.address);
  }
  payload.release();
}

void ScalarCore::for_each_blocked(const std::function<void(const PendingAccess&)>& visit) const {
  for (const PendingAccess* access : blocked_) visit(*access);
  for (const Held& held : held_) {
    if (held.access != nullptr) visit(*held.access);
  }
}

void ScalarCore::fault(const char* what, Address address) {
  if (first_fault_.empty()) {
    first_fault_ = fmt::format("a program {} {}: nothing answers there", what, describe(address));
  }
}

}  // namespace podsim::scalar_core
