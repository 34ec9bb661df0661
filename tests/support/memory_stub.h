// A memory simple enough to predict on paper: fixed latency, one port of fixed bandwidth that reads and writes share in
// the order of their calls. Answers bursts as models/kernel/burst.h says, keeps HBM and VMEM contents, logs every
// access, and takes semaphore signals.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/kernel/burst.h"

namespace podsim::testing {

class MemoryStub final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  struct Access {
    bool write = false;
    Address address = 0;
    Bytes bytes = 0;
    Picoseconds called_at = 0;
    Picoseconds first_byte = 0;
    Picoseconds last_byte = 0;
    Picoseconds complete_at = 0;
  };
  struct Signal {
    Address address = 0;
    std::uint64_t amount = 0;
    Picoseconds at = 0;
  };

  tlm::tlm_target_socket<64> socket{"socket"};

  // With `ps_per_byte` zero the port takes no time and holds nobody up.
  MemoryStub(sc_core::sc_module_name name, Picoseconds latency, Picoseconds ps_per_byte, Bytes capacity)
      : sc_module(name), latency_(latency), ps_per_byte_(ps_per_byte), capacity_(capacity) {
    socket.bind(*this);
  }

  std::vector<Access> accesses;
  std::vector<Signal> signals;
  // When set, bursts are answered as by a memory that knows nothing of bursts: annotated delay only.
  bool ignore_bursts = false;

  template <class T>
  void put(Address address, const std::vector<T>& values) {
    if (!values.empty()) std::memcpy(at(address), values.data(), values.size() * sizeof(T));
  }
  template <class T>
  std::vector<T> get(Address address, std::size_t count) {
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), at(address), count * sizeof(T));
    return values;
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                     sc_core::sc_time& delay) override {
    const Address address = payload.get_address();
    const Bytes bytes = payload.get_data_length();
    if (offset_of(address) + bytes > capacity_) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    const Picoseconds now = static_cast<Picoseconds>(sc_core::sc_time_stamp().value());
    kernel::Burst* const burst = ignore_bursts ? nullptr : kernel::burst_of(payload);
    const Picoseconds wanted = now + static_cast<Picoseconds>(delay.value()) + (payload.is_read() ? latency_ : 0);
    const Picoseconds arrives = burst != nullptr && payload.is_write() ? burst->first_byte : wanted;
    const Picoseconds ends = burst != nullptr && payload.is_write() ? burst->last_byte : wanted;
    const Picoseconds first = ps_per_byte_ > 0 ? std::max(arrives, port_free_) : arrives;
    const Picoseconds last = std::max(first + static_cast<Picoseconds>(bytes) * ps_per_byte_, ends);
    port_free_ = last;
    if (burst != nullptr && payload.is_read()) {
      burst->first_byte = first;
      burst->last_byte = last;
    }
    if (payload.get_data_ptr() != nullptr) {
      if (payload.is_read()) std::memcpy(payload.get_data_ptr(), at(address), bytes);
      if (payload.is_write()) std::memcpy(at(address), payload.get_data_ptr(), bytes);
    }
    const Picoseconds complete = last + (payload.is_write() ? latency_ : 0);
    accesses.push_back({payload.is_write(), address, bytes, now, first, last, complete});
    delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(complete - now));
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    if (region_of(payload.get_address()) != Region::kSemaphores || payload.get_data_length() != 8) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    Signal signal{payload.get_address(), 0, static_cast<Picoseconds>(sc_core::sc_time_stamp().value())};
    std::memcpy(&signal.amount, payload.get_data_ptr(), sizeof signal.amount);
    signals.push_back(signal);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  unsigned char* at(Address address) {
    std::vector<unsigned char>& region = contents_[region_of(address)];
    region.resize(capacity_);
    return region.data() + offset_of(address);
  }

  const Picoseconds latency_;
  const Picoseconds ps_per_byte_;
  const Bytes capacity_;
  Picoseconds port_free_ = 0;
  std::map<Region, std::vector<unsigned char>> contents_;
};

}  // namespace podsim::testing
