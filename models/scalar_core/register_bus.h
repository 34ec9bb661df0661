// What firmware sees of its chip: a memory-mapped register bus. Free of SystemC, so that a firmware file would read the
// same on silicon. The scalar core model implements it with a TLM initiator socket.
//
// The core issues at most one bus word per cycle, in program order over all its tasks. Writes are posted: the program
// goes on at once, and a register that can't take the write yet (a full DMA queue) holds up everything issued after it.
#pragma once

#include <coroutine>
#include <cstdint>
#include <source_location>
#include <span>

#include "models/kernel/address_map.h"
#include "models/kernel/units.h"

namespace podsim::scalar_core {

// Where a program stands, for whoever has to explain why it waits.
struct ProgramPoint {
  std::source_location where;
  const char* what = "";  // what is waited for, in words; static storage
};

// A suspended program's request. It lives in the awaiting coroutine's frame and is linked into the core's lists, so a
// wait allocates nothing. The core fills `result` and resumes `program`.
struct PendingAccess {
  enum class Kind : std::uint8_t {
    kRead,         // result = register
    kWaitAtLeast,  // wait until the semaphore holds at least `value`, then subtract it
    kDelay,        // wait for `value` picoseconds
  };
  Kind kind = Kind::kRead;
  Address address = 0;
  std::uint64_t value = 0;
  std::uint64_t result = 0;
  std::coroutine_handle<> program{};
  ProgramPoint point{};
  std::uint32_t task = 0;  // the program's own number for the task that waits; for observers

  // The core's own use.
  Picoseconds began = 0;
  Picoseconds resume_at = 0;
  PendingAccess* next = nullptr;
  PendingAccess* previous = nullptr;
};

class RegisterBus {
 public:
  // Posted write of consecutive 64-bit registers; one bus word, and so one cycle, each.
  virtual void write(Address address, std::span<const std::uint64_t> words) = 0;
  // Suspends the program (the caller returns to the core right after). `access` stays valid until it is resumed.
  virtual void suspend(PendingAccess& access) = 0;
  // Simulated time, as a free-running counter register would give it.
  [[nodiscard]] virtual Picoseconds now() const = 0;

 protected:
  ~RegisterBus() = default;
};

}  // namespace podsim::scalar_core
