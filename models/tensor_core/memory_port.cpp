#include "models/tensor_core/memory_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace podsim::tensor_core {

namespace {
constexpr Picoseconds kNotSet = -1;
}  // namespace

tlm::tlm_generic_payload* MemoryPort::read(Address address, Bytes bytes, Picoseconds now) {
  tlm::tlm_generic_payload& payload = pool_.acquire(tlm::TLM_READ_COMMAND, address, bytes, with_data_);
  kernel::Burst& burst = *kernel::burst_of(payload);
  burst.first_byte = burst.last_byte = kNotSet;
  const std::optional<Picoseconds> delay = transport(payload, 0);
  if (!delay) {
    payload.release();
    return nullptr;
  }
  // Somebody else's memory doesn't know of bursts: all of its data is there at the annotated delay.
  if (burst.last_byte == kNotSet) burst.first_byte = burst.last_byte = now + *delay;
  return &payload;
}

tlm::tlm_generic_payload& MemoryPort::blank(Bytes bytes) {
  return pool_.acquire(tlm::TLM_WRITE_COMMAND, 0, bytes, with_data_);
}

std::optional<Picoseconds> MemoryPort::write(tlm::tlm_generic_payload& payload, Address address, Picoseconds first_byte,
                                             Picoseconds last_byte, Picoseconds now) {
  payload.set_write();
  payload.set_address(address);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  kernel::Burst& burst = *kernel::burst_of(payload);
  burst.first_byte = first_byte;
  burst.last_byte = last_byte;
  const std::optional<Picoseconds> delay = transport(payload, first_byte - now);
  payload.release();
  if (!delay) return std::nullopt;
  // Never before the last byte has left: a memory that doesn't know of bursts answers for the first one.
  return std::max(now + *delay, last_byte);
}

bool MemoryPort::signal(Address semaphore, std::uint64_t amount) {
  tlm::tlm_generic_payload& payload = pool_.acquire(tlm::TLM_WRITE_COMMAND, semaphore, sizeof amount, true);
  std::memcpy(payload.get_data_ptr(), &amount, sizeof amount);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket_->b_transport(payload, delay);
  const bool ok = payload.is_response_ok();
  if (!ok) note_error(payload);
  payload.release();
  return ok;
}

std::optional<Picoseconds> MemoryPort::transport(tlm::tlm_generic_payload& payload, Picoseconds after) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(after));
  const tlm::tlm_sync_enum status = socket_->nb_transport_fw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED && payload.is_response_ok()) return static_cast<Picoseconds>(delay.value());
  note_error(payload);
  return std::nullopt;
}

void MemoryPort::note_error(const tlm::tlm_generic_payload& payload) {
  error_ = fmt::format("{} of {} bytes at {:#x} failed: {}", payload.is_read() ? "read" : "write",
                       payload.get_data_length(), payload.get_address(), payload.get_response_string());
}

}  // namespace podsim::tensor_core
