#include "platform/run/perturbation.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace podsim::run {

// Something that is passed on later.
class PerturbedBus::Held final : public kernel::TimerBase {
 public:
  explicit Held(PerturbedBus& owner) : TimerBase(owner.queue_), owner_(owner) {}
  ~Held() override = default;

  Address address = 0;
  std::vector<std::uint64_t> words;
  scalar_core::PendingAccess* access = nullptr;  // instead of a write
  bool in_use = false;

 private:
  void fire() override {
    in_use = false;
    if (access != nullptr) {
      owner_.bus_.suspend(*access);
    } else {
      owner_.bus_.write(address, words);
    }
  }
  PerturbedBus& owner_;
};

PerturbedBus::PerturbedBus(ChipId chip, scalar_core::RegisterBus& bus, kernel::EventQueue& queue)
    : chip_(chip), bus_(bus), queue_(queue) {}

PerturbedBus::~PerturbedBus() = default;

void PerturbedBus::reseed(std::uint64_t seed) {
  constexpr std::array<std::uint64_t, 4> kScales = {100'000, 1'000'000, 10'000'000, 100'000'000};
  disturbs_ = seed != 0;
  late_ = 0;
  if (!disturbs_) return;
  scale_ = kScales[kernel::Random(seed).below(kScales.size())];  // the same on all chips
  random_ = kernel::Random(seed * 0x1'0000'0001u + index(chip_));
  straggles_ = random_.one_in(4);
  late_ = random_.one_in(3) ? some_time() : 0;
}

PerturbedBus::Held& PerturbedBus::hold(Picoseconds delay) {
  auto free = std::find_if(held_.begin(), held_.end(), [](const Held& each) { return !each.in_use; });
  if (free == held_.end()) free = held_.emplace(held_.end(), *this);
  free->in_use = true;
  free->access = nullptr;
  free->arm_in(delay);
  return *free;
}

void PerturbedBus::write(Address address, std::span<const std::uint64_t> words) {
  const Region region = region_of(address);
  // Commands of a TensorCore keep their order: they are carried out in it.
  const bool may_wait = region == Region::kDma || region == Region::kSemaphores;
  Picoseconds delay = late_;
  if (disturbs_ && may_wait && random_.one_in(2)) delay += some_time();
  if (delay == 0) return bus_.write(address, words);
  Held& held = hold(delay);
  held.address = address;
  held.words.assign(words.begin(), words.end());
}

void PerturbedBus::suspend(scalar_core::PendingAccess& access) {
  Picoseconds delay = std::exchange(late_, 0);
  if (disturbs_ && straggles_ && random_.one_in(2)) delay += some_time();
  if (delay == 0) return bus_.suspend(access);
  hold(delay).access = &access;
}

}  // namespace podsim::run
