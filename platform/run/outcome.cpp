#include "platform/run/outcome.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace podsim::run {

namespace {
struct Row {
  Outcome outcome;
  std::string_view name;
  int exit_code;
};
constexpr std::array<Row, 8> kRows{{
    {Outcome::kCompleted, "completed", 0},
    {Outcome::kConfigError, "config error", 2},
    {Outcome::kWrongData, "wrong data", 3},
    {Outcome::kDeadlock, "deadlock", 4},
    {Outcome::kContractViolated, "contract violated", 5},
    {Outcome::kHazard, "hazard", 6},
    {Outcome::kSemaphoreLeftOver, "semaphore left over", 7},
    {Outcome::kTimeLimit, "time limit", 8},
}};

const Row& row(Outcome outcome) {
  for (const Row& row : kRows) {
    if (row.outcome == outcome) return row;
  }
  throw std::logic_error("an outcome without a row");
}
}  // namespace

std::string_view name(Outcome outcome) { return row(outcome).name; }
int exit_code(Outcome outcome) { return row(outcome).exit_code; }

Outcome outcome_from_name(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.outcome;
  }
  throw std::invalid_argument(fmt::format("there is no outcome '{}'", name));
}

}  // namespace podsim::run
