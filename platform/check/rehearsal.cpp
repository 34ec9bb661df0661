#include "platform/check/rehearsal.h"

#include <algorithm>
#include <deque>

#include "models/dma/dma_registers.h"
#include "models/semaphore/semaphore_registers.h"
#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::check {

namespace {

// A program may loop for ever: how far ahead to look, over all chips and for each.
constexpr std::size_t kMostAccesses = 2'000'000;
constexpr std::size_t kMostOfAChip = 4096;
constexpr std::size_t kMostKept = 8;  // of a semaphore

}  // namespace

// The bus that leads nowhere.
class Rehearsal::Stage final : public scalar_core::RegisterBus {
 public:
  Stage(Rehearsal& rehearsal, firmware::Device& device, std::size_t most)
      : rehearsal_(rehearsal), device_(device), left_(most) {}

  // Grants a wait, and all that come after it.
  void play(const scalar_core::PendingAccess& blocked) {
    begun_ = blocked.task;
    blocked.program.resume();
    while (!waiting_.empty() && left_ > 0) {
      const scalar_core::PendingAccess* const next = waiting_.front();
      waiting_.pop_front();
      next->program.resume();
    }
    waiting_.clear();
  }

  void write(Address address, std::span<const std::uint64_t> words) override {
    if (left_ > 0) --left_;
    switch (region_of(address)) {
      case Region::kSemaphores: return note(address, words[0]);
      case Region::kDma: {
        const dma::Descriptor copy = dma::Descriptor::from_words(words);
        note(copy.send_semaphore, copy.bytes);
        return note(copy.recv_semaphore, copy.bytes);
      }
      case Region::kTensorCore: {
        const auto command = tensor_core::Command::from_words(words.data());
        return note(command.semaphore, command.amount);
      }
      default: return;
    }
  }
  void suspend(scalar_core::PendingAccess& access) override {
    if (left_ > 0) --left_;
    waiting_.push_back(&access);
  }
  [[nodiscard]] Picoseconds now() const override { return 0; }

 private:
  void note(Address semaphore, std::uint64_t amount) {
    if (semaphore == dma::kNoSemaphore || amount == 0) return;
    auto& intentions = rehearsal_.intentions_[{chip_of(semaphore), semaphore::semaphore_of(semaphore)}];
    if (intentions.size() < kMostKept)
      intentions.push_back({device_.id(), begun_, device_.task(), amount, device_.point()});
  }

  Rehearsal& rehearsal_;
  firmware::Device& device_;
  std::size_t left_;
  firmware::TaskId begun_ = 0;
  std::deque<const scalar_core::PendingAccess*> waiting_;
};

Rehearsal::Rehearsal(pod::Pod& pod, const Devices& devices) {
  const std::size_t most =
      std::clamp<std::size_t>(kMostAccesses / std::max<std::size_t>(1, devices.size()), 64, kMostOfAChip);
  for (const auto& device : devices) {
    if (!device->running()) continue;
    std::vector<const scalar_core::PendingAccess*> blocked;
    pod.chip(device->id()).scalar_core.for_each_blocked([&](const auto& access) { blocked.push_back(&access); });
    Stage stage(*this, *device, most);
    device->divert(stage);
    for (const scalar_core::PendingAccess* each : blocked) stage.play(*each);
  }
}

const std::vector<Intention>& Rehearsal::of(ChipId chip, std::uint32_t semaphore) const {
  static const std::vector<Intention> kNone;
  const auto found = intentions_.find({chip, semaphore});
  return found == intentions_.end() ? kNone : found->second;
}

}  // namespace podsim::check
