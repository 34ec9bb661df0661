#include "models/memory/memory.h"

#include <algorithm>

#include "models/kernel/local_time.h"

namespace podsim::memory {

namespace {

Picoseconds now() { return kernel::local_time(); }

}  // namespace

Memory::Memory(sc_core::sc_module_name name, ByteSize capacity, Duration read_latency, Duration write_latency)
    : sc_module(name), capacity_(capacity.bytes), read_latency_(read_latency.ps), write_latency_(write_latency.ps) {
  socket.bind(*this);
}

Memory::~Memory() = default;

tlm::tlm_sync_enum Memory::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) {
  // Everything is settled in the answer to BEGIN_REQ, so a well-behaved initiator sends no other phase.
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  access(payload, delay);
  return tlm::TLM_COMPLETED;
}

void Memory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) { access(payload, delay); }

unsigned Memory::transport_dbg(tlm::tlm_generic_payload& payload) {
  const tlm::tlm_response_status status = check(payload);
  payload.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE || payload.get_data_ptr() == nullptr) return 0;
  move_data(payload);
  return payload.get_command() == tlm::TLM_IGNORE_COMMAND ? 0 : payload.get_data_length();
}

bool Memory::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) { return false; }

tlm::tlm_response_status Memory::check(const tlm::tlm_generic_payload& payload) const {
  const Bytes offset = offset_of(payload.get_address());
  const Bytes bytes = payload.get_data_length();
  const kernel::Burst* const burst = payload.get_extension<kernel::Burst>();
  if (burst != nullptr && burst->rows.strided()) {
    bool within = offset <= capacity_;
    burst->rows.for_each(bytes, [&](Bytes at, Bytes piece) {
      within = within && piece <= capacity_ && offset + at <= capacity_ - piece;
    });
    if (!within) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  } else if (bytes > capacity_ || offset > capacity_ - bytes) {
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_streaming_width() < bytes) return tlm::TLM_BURST_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

void Memory::access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = check(payload);
  payload.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE) {
    ++statistics_.refused;
    return;
  }
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
  move_data(payload);

  const bool write = payload.is_write();
  const Bytes bytes = payload.get_data_length();
  const Picoseconds requested = now() + static_cast<Picoseconds>(delay.value());
  // A payload from outside has no burst: all of its data is there at the annotated time.
  kernel::Burst* const burst = kernel::burst_of(payload);
  const kernel::Rows rows = burst != nullptr ? burst->rows : kernel::Rows{};
  const bool trickles = burst != nullptr && burst->trickles;
  Picoseconds first_byte = requested;
  Picoseconds last_byte = requested;
  Picoseconds complete = 0;

  if (write) {
    if (burst != nullptr) {
      first_byte = burst->first_byte;
      last_byte = burst->last_byte;
    }
    const Reservation service = reserve(
        {offset_of(payload.get_address()), bytes, true, last_byte - first_byte, now(), rows, trickles}, first_byte);
    complete = std::max(last_byte, service.finish) + write_latency_;
    ++statistics_.writes;
    statistics_.busy += service.occupancy;
    statistics_.bytes_written += bytes;
  } else {
    const Picoseconds pace = burst != nullptr ? burst->pace : 0;
    const Reservation service =
        reserve({offset_of(payload.get_address()), bytes, false, pace, now(), rows, trickles}, requested);
    first_byte = service.start + read_latency_;
    last_byte = service.finish + read_latency_;
    complete = last_byte;
    if (burst != nullptr) {
      burst->first_byte = first_byte;
      burst->last_byte = last_byte;
    }
    ++statistics_.reads;
    statistics_.busy += service.occupancy;
    statistics_.bytes_read += bytes;
    statistics_.read_time += complete - requested;
  }
  delay = sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(complete - now()));
  accesses.tell([&] {
    const std::uint64_t transfer = burst != nullptr ? burst->transfer : 0;
    return MemoryAccess{payload.get_address(),         bytes, write, transfer, first_byte, last_byte, complete,
                        write ? first_byte : requested};
  });
}

void Memory::move_data(const tlm::tlm_generic_payload& payload) {
  unsigned char* const data = payload.get_data_ptr();
  if (data == nullptr) return;
  const Bytes offset = offset_of(payload.get_address());
  const kernel::Burst* const burst = payload.get_extension<kernel::Burst>();
  Bytes done = 0;
  (burst != nullptr ? burst->rows : kernel::Rows{}).for_each(payload.get_data_length(), [&](Bytes at, Bytes piece) {
    if (payload.is_write()) storage_.write(offset + at, {data + done, piece});
    if (payload.is_read()) storage_.read(offset + at, {data + done, piece});
    done += piece;
  });
}

}  // namespace podsim::memory
