// A chip without hardware: a register bus that logs writes and keeps semaphores, with time that the test sets. It shows
// that firmware needs nothing of the simulator.
#pragma once

#include <algorithm>
#include <list>
#include <map>
#include <vector>

#include "models/scalar_core/register_bus.h"
#include "models/semaphore/semaphore_registers.h"

namespace podsim::testing {

class RegisterBusStub final : public scalar_core::RegisterBus {
 public:
  struct Write {
    Address address;
    std::vector<std::uint64_t> words;
  };
  std::vector<Write> writes;
  std::map<Address, std::uint64_t> semaphores;  // by address of the kValue register
  Picoseconds time = 0;

  void write(Address address, std::span<const std::uint64_t> words) override {
    writes.push_back({address, {words.begin(), words.end()}});
    if (region_of(address) == Region::kSemaphores) add(address - semaphore::kAdd, words[0]);
  }
  void suspend(scalar_core::PendingAccess& access) override { suspended_.push_back(&access); }
  [[nodiscard]] Picoseconds now() const override { return time; }

  // Raises the semaphore whose kValue register is at `address`.
  void add(Address address, std::uint64_t amount) { semaphores[address] += amount; }
  [[nodiscard]] std::size_t blocked() const { return suspended_.size(); }
  [[nodiscard]] const scalar_core::PendingAccess& oldest() const { return *suspended_.front(); }

  // Resumes whatever may go on at this moment, oldest first; returns how many did.
  unsigned run() {
    unsigned resumed = 0;
    for (;;) {
      const auto ready = std::find_if(suspended_.begin(), suspended_.end(), [&](auto* access) { return take(*access); });
      if (ready == suspended_.end()) return resumed;
      const std::coroutine_handle<> program = (*ready)->program;
      suspended_.erase(ready);
      ++resumed;
      program.resume();
    }
  }

 private:
  bool take(scalar_core::PendingAccess& access) {
    using Kind = scalar_core::PendingAccess::Kind;
    if (access.kind == Kind::kDelay) return static_cast<Picoseconds>(access.value) <= time;
    if (access.kind == Kind::kRead) {
      access.result = semaphores[access.address];
      return true;
    }
    std::uint64_t& value = semaphores[access.address - semaphore::kWait];
    if (value < access.value) return false;
    value -= access.value;
    return true;
  }
  std::list<scalar_core::PendingAccess*> suspended_;
};

}  // namespace podsim::testing
