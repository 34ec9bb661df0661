// An initiator for tests: makes one burst at a time through nb_transport_fw and reports what the target answered.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/kernel/payload_pool.h"

namespace podsim::testing {

struct Answer {
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  Picoseconds complete = 0;  // absolute time
  Picoseconds first_byte = 0;
  Picoseconds last_byte = 0;
};

class BurstInitiator final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<64> socket{"socket"};

  explicit BurstInitiator(sc_core::sc_module_name name) : sc_module(name) { socket.bind(*this); }
  ~BurstInitiator() override = default;

  // Timing only (data mode `none`). The request is made now, `ahead` before its time.
  Answer read(Address address, Bytes bytes, Picoseconds ahead = 0) {
    return transport(pool_.acquire(tlm::TLM_READ_COMMAND, address, bytes, false), ahead);
  }
  // The data arrives in [first_byte, last_byte].
  Answer write(Address address, Bytes bytes, Picoseconds first_byte, Picoseconds last_byte) {
    return write(pool_.acquire(tlm::TLM_WRITE_COMMAND, address, bytes, false), first_byte, last_byte);
  }

  // The same with data.
  Answer read(Address address, std::span<unsigned char> to) {
    tlm::tlm_generic_payload& payload = pool_.acquire(tlm::TLM_READ_COMMAND, address, to.size(), true);
    payload.acquire();  // beyond transport(), which gives up its own reference
    const Answer answer = transport(payload, 0);
    std::memcpy(to.data(), payload.get_data_ptr(), to.size());
    payload.release();
    return answer;
  }
  Answer write(Address address, std::span<const unsigned char> from, Picoseconds first_byte, Picoseconds last_byte) {
    tlm::tlm_generic_payload& payload = pool_.acquire(tlm::TLM_WRITE_COMMAND, address, from.size(), true);
    std::memcpy(payload.get_data_ptr(), from.data(), from.size());
    return write(payload, first_byte, last_byte);
  }

  // The same, of rows.
  Answer read_rows(Address address, Bytes bytes, const kernel::Rows& rows) {
    tlm::tlm_generic_payload& payload = pool_.acquire(tlm::TLM_READ_COMMAND, address, bytes, false);
    kernel::burst_of(payload)->rows = rows;
    return transport(payload, 0);
  }
  Answer write_rows(Address address, std::span<const unsigned char> from, const kernel::Rows& rows) {
    tlm::tlm_generic_payload& payload = pool_.acquire(tlm::TLM_WRITE_COMMAND, address, from.size(), true);
    std::memcpy(payload.get_data_ptr(), from.data(), from.size());
    kernel::burst_of(payload)->rows = rows;
    return write(payload, 0, 0);
  }

  kernel::PayloadPool& pool() { return pool_; }

 private:
  Answer write(tlm::tlm_generic_payload& payload, Picoseconds first_byte, Picoseconds last_byte) {
    kernel::burst_of(payload)->first_byte = first_byte;
    kernel::burst_of(payload)->last_byte = last_byte;
    return transport(payload, 0);
  }

  Answer transport(tlm::tlm_generic_payload& payload, Picoseconds ahead) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(ahead));
    EXPECT_EQ(socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    const Answer answer{payload.get_response_status(),
                        static_cast<Picoseconds>((sc_core::sc_time_stamp() + delay).value()),
                        kernel::burst_of(payload)->first_byte, kernel::burst_of(payload)->last_byte};
    payload.release();
    return answer;
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    ADD_FAILURE() << "the target answered on the backward path";
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  kernel::PayloadPool pool_;
};

// A blocking initiator as somebody else might write it: an SC_THREAD that knows nothing of bursts, writes a pattern
// with b_transport, waits out the annotated time, and reads it back.
class ThreadInitiator final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<64> socket{"socket"};

  ThreadInitiator(sc_core::sc_module_name name, Address address) : sc_module(name), address_(address) {
    SC_HAS_PROCESS(ThreadInitiator);
    socket.bind(*this);
    SC_THREAD(main);
  }
  ~ThreadInitiator() override = default;

  std::vector<unsigned char> written = std::vector<unsigned char>(256);
  std::vector<unsigned char> read_back = std::vector<unsigned char>(256);
  Picoseconds write_took = -1;
  Picoseconds read_took = -1;

 private:
  void main() {
    for (std::size_t i = 0; i < written.size(); ++i) written[i] = static_cast<unsigned char>(i * 7 + 1);
    write_took = access(tlm::TLM_WRITE_COMMAND, written);
    read_took = access(tlm::TLM_READ_COMMAND, read_back);
  }

  Picoseconds access(tlm::tlm_command command, std::vector<unsigned char>& data) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address_);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(static_cast<unsigned>(data.size()));
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    EXPECT_TRUE(payload.is_response_ok());
    wait(delay);
    return static_cast<Picoseconds>((sc_core::sc_time_stamp() - start).value());
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  Address address_;
};

}  // namespace podsim::testing
