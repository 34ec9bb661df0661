// Disturbs a chip's program in time and in nothing else: what it asks for arrives later, as it may on hardware. A
// correct program ends with the same data under every disturbance.
//
//   copies      are held back, each for a time of its own, so that independent ones overtake each other
//   signals     likewise
//   stragglers  some chips take longer over everything
//   latecomers  some chips start late
//
// Which and how much follows from a seed and the chip alone; times are drawn from scales between 100 ns and 100 us, so
// that disturbances are short and long compared with what the program does.
#pragma once

#include <array>
#include <list>

#include "models/kernel/event_queue.h"
#include "models/kernel/random.h"
#include "models/scalar_core/register_bus.h"

namespace podsim::run {

class PerturbedBus final : public scalar_core::RegisterBus {
 public:
  // `bus` and `queue` outlive this object. It does nothing until it has a seed.
  PerturbedBus(ChipId chip, scalar_core::RegisterBus& bus, kernel::EventQueue& queue);
  ~PerturbedBus();

  // Before a launch. Seed 0: no disturbance.
  void reseed(std::uint64_t seed);

  void write(Address address, std::span<const std::uint64_t> words) override;
  void suspend(scalar_core::PendingAccess& access) override;
  [[nodiscard]] Picoseconds now() const override { return bus_.now(); }

 private:
  class Held;

  [[nodiscard]] Picoseconds some_time() { return static_cast<Picoseconds>(random_.below(scale_) + 1); }
  Held& hold(Picoseconds delay);

  const ChipId chip_;
  scalar_core::RegisterBus& bus_;
  kernel::EventQueue& queue_;
  bool disturbs_ = false;
  kernel::Random random_{0};
  std::uint64_t scale_ = 1;  // ps; of the times that are drawn
  Picoseconds late_ = 0;     // still to pass before the first access
  bool straggles_ = false;
  std::list<Held> held_;
};

}  // namespace podsim::run
