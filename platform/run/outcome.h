// How a run ends: in exactly one of these ways. Each has its own exit code; 0 is for `completed` alone.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace podsim::run {

enum class Outcome {
  kCompleted,
  kWrongData,
  kDeadlock,
  kContractViolated,
  kHazard,
  kSemaphoreLeftOver,
  kConfigError,
  kTimeLimit,
};

inline constexpr std::array kOutcomes{Outcome::kCompleted,        Outcome::kWrongData, Outcome::kDeadlock,
                                      Outcome::kContractViolated, Outcome::kHazard,    Outcome::kSemaphoreLeftOver,
                                      Outcome::kConfigError,      Outcome::kTimeLimit};

// "completed", "wrong data", "deadlock", ...
[[nodiscard]] std::string_view name(Outcome outcome);
// 0 for completed; 2 for config error, as command lines use it; 3 and up for the others.
[[nodiscard]] int exit_code(Outcome outcome);
// The outcome of that name. Throws std::invalid_argument.
[[nodiscard]] Outcome outcome_from_name(std::string_view name);

}  // namespace podsim::run
