#include "models/kernel/payload_pool.h"

namespace podsim::kernel {

struct PayloadPool::Pooled final : tlm::tlm_generic_payload {
  explicit Pooled(tlm::tlm_mm_interface* pool) : tlm_generic_payload(pool) { set_extension(&burst); }
  ~Pooled() override { clear_extension(&burst); }  // it is a member: the payload must not delete it

  unsigned char* buffer(Bytes bytes) {
    if (bytes > capacity) {
      storage.reset(new unsigned char[bytes]);
      capacity = bytes;
    }
    return storage.get();
  }

  Burst burst;
  std::unique_ptr<unsigned char[]> storage;
  Bytes capacity = 0;
};

PayloadPool::PayloadPool() = default;
PayloadPool::~PayloadPool() = default;

tlm::tlm_generic_payload& PayloadPool::acquire(tlm::tlm_command command, Address address, Bytes bytes, bool with_data) {
  if (free_.empty()) {
    all_.push_back(std::make_unique<Pooled>(this));
    free_.push_back(all_.back().get());
  }
  Pooled& payload = *free_.back();
  free_.pop_back();
  payload.acquire();
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(with_data ? payload.buffer(bytes) : nullptr);
  payload.set_data_length(static_cast<unsigned>(bytes));
  payload.set_streaming_width(static_cast<unsigned>(bytes));
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  payload.burst.first_byte = payload.burst.last_byte = payload.burst.pace = 0;
  payload.burst.rows.row = 0;
  payload.burst.trickles = false;
  payload.burst.notify = Burst::kNoSemaphore;
  payload.burst.arrived = 0;
  payload.burst.visible = 0;
  payload.burst.transfer = 0;
  return payload;
}

void PayloadPool::free(tlm::tlm_generic_payload* payload) { free_.push_back(static_cast<Pooled*>(payload)); }

}  // namespace podsim::kernel
