// A TensorCore's way to memory: bursts and semaphore signals over the core's initiator socket.
//
// Memory answers a burst at once (TLM_COMPLETED) with the times of its stream; see models/kernel/burst.h.
#pragma once

#include <optional>
#include <string>
#include <tlm>

#include "models/kernel/payload_pool.h"

namespace podsim::tensor_core {

class MemoryPort {
 public:
  using Socket = tlm::tlm_initiator_socket<64>;
  MemoryPort(Socket& socket, kernel::PayloadPool& pool, bool with_data)
      : socket_(socket), pool_(pool), with_data_(with_data) {}

  // Whether bytes move, or only time passes.
  [[nodiscard]] bool with_data() const { return with_data_; }

  // Reads a burst, with its times in its Burst extension. The caller releases the payload. Null on an error.
  [[nodiscard]] tlm::tlm_generic_payload* read(Address address, Bytes bytes, Picoseconds now);

  // A payload for a write that no read came before.
  [[nodiscard]] tlm::tlm_generic_payload& blank(Bytes bytes);

  // Writes the payload's data, which reaches memory between `first_byte` and `last_byte`, and releases it. Gives the
  // time at which the data is visible, or nothing on an error. A payload from read() may carry the result back.
  [[nodiscard]] std::optional<Picoseconds> write(tlm::tlm_generic_payload& payload, Address address,
                                                 Picoseconds first_byte, Picoseconds last_byte, Picoseconds now);

  // Adds to a semaphore. False on an error.
  [[nodiscard]] bool signal(Address semaphore, std::uint64_t amount);

  // The latest error, in words.
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  // Hands the payload to memory, for `after` from now; gives the annotated delay, or nothing on an error.
  [[nodiscard]] std::optional<Picoseconds> transport(tlm::tlm_generic_payload& payload, Picoseconds after);
  void note_error(const tlm::tlm_generic_payload& payload);

  Socket& socket_;
  kernel::PayloadPool& pool_;
  bool with_data_;
  std::string error_;
};

}  // namespace podsim::tensor_core
