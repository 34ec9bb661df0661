// How a run is carried out, beyond what is run: limits, checks, and disturbances.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "models/kernel/ids.h"
#include "models/kernel/units.h"
#include "models/scalar_core/register_bus.h"

namespace podsim::run {

// What is watched while programs run. Each level includes the ones before it.
enum class CheckLevel : std::uint8_t {
  kNone,
  kContracts,  // what the members of a clique call: costs next to nothing
  kAll,        // and hazards: who orders which accesses to memory
  kAuto,       // all, on pods of up to kMostAutoChips chips, else contracts
};
inline constexpr std::uint32_t kMostAutoChips = 64;  // up to here, all is looked at that can be

// What is to happen when a check finds something: end the run at once, or let it go on as hardware would.
enum class OnViolation : std::uint8_t { kStop, kRun };

// Whether one chip stands for all where they do the same at the same times (symmetry.h).
enum class Symmetry : std::uint8_t {
  kAuto,  // where it can, on pods of more than kMostAutoChips chips, and on smaller ones with nothing checked
  kOn,    // and it is an error where it can't
  kOff,
};

class LaunchObserver;  // launch_observer.h

// Puts something between a chip's program and its bus. What it returns outlives the launcher.
using BusWrapper = std::function<scalar_core::RegisterBus&(ChipId, scalar_core::RegisterBus&)>;

struct RunOptions {
  static constexpr Picoseconds kDefaultTimeLimit = 1000 * kPicosecondsPerSecond;
  static constexpr Picoseconds kDefaultProgressLimit = 10'000 * kPicosecondsPerMicrosecond;

  Picoseconds time_limit = kDefaultTimeLimit;          // simulated, for each step
  Picoseconds progress_limit = kDefaultProgressLimit;  // busy, but nothing moved, signalled or granted for so long
  CheckLevel checks = CheckLevel::kAuto;
  OnViolation on_violation = OnViolation::kStop;
  // Seed of a disturbance (perturbation.h); 0: none yet, but there may be one later.
  std::optional<std::uint64_t> perturbation{};
  BusWrapper wrap_bus{};               // for tests
  LaunchObserver* observer = nullptr;  // outlives the launcher
  // Where all chips do the same, one may stand for all (symmetry.h). Of use before the pod is built.
  Symmetry symmetry = Symmetry::kAuto;
  bool run_ahead = true;  // chips may get on out of step where that makes no difference (run_ahead.h)
};

}  // namespace podsim::run
