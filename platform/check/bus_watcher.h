// Listens on the way from a chip's program to its bus. It takes no time and changes nothing; with no listener it is not
// put in at all.
#pragma once

#include "models/scalar_core/register_bus.h"

namespace podsim::check {

class IssueListener {
 public:
  // A program writes to registers: a DMA descriptor, a command, a signal.
  virtual void written(ChipId chip, Address address, std::span<const std::uint64_t> words) = 0;

 protected:
  ~IssueListener() = default;
};

class BusWatcher final : public scalar_core::RegisterBus {
 public:
  // `bus` outlives the watcher.
  BusWatcher(ChipId chip, scalar_core::RegisterBus& bus) : chip_(chip), bus_(bus) {}

  void listen(IssueListener* listener) { listener_ = listener; }

  void write(Address address, std::span<const std::uint64_t> words) override {
    if (listener_ != nullptr) listener_->written(chip_, address, words);
    bus_.write(address, words);
  }
  void suspend(scalar_core::PendingAccess& access) override { bus_.suspend(access); }
  [[nodiscard]] Picoseconds now() const override { return bus_.now(); }

 private:
  const ChipId chip_;
  scalar_core::RegisterBus& bus_;
  IssueListener* listener_ = nullptr;
};

}  // namespace podsim::check
