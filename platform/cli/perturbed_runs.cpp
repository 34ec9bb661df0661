#include "platform/cli/perturbed_runs.h"

#include <fmt/format.h>

#include <cstring>
#include <string>

#include "platform/run/apart.h"

namespace podsim::cli {

namespace {

// What a process finds out.
struct End {
  int outcome = -1;  // -1: the process came to grief
  std::uint64_t digest = 0;
  auto operator<=>(const End&) const = default;
};

std::string run_here(Session& session, std::uint64_t seed) {
  session.perturb(seed);
  End end;
  run::Outcome outcome = run::Outcome::kCompleted;
  session.run([&](const report::StepRecord& step) {
    end.digest = end.digest * 31 + step.result.digest;
    outcome = step.result.outcome;
  });
  end.outcome = static_cast<int>(outcome);
  return {reinterpret_cast<const char*>(&end), sizeof end};
}

// A config error shows in the undisturbed run too.
End run_apart(Session& session, std::uint64_t seed) {
  const std::optional<std::string> answer = run::do_apart({[&] { return run_here(session, seed); }}).front();
  End end;
  if (answer && answer->size() == sizeof end) std::memcpy(&end, answer->data(), sizeof end);
  return end;
}

}  // namespace

PerturbedRuns try_seeds(Session& session, unsigned seeds) {
  const End undisturbed = run_apart(session, 0);
  if (undisturbed.outcome != static_cast<int>(run::Outcome::kCompleted)) return {true, std::nullopt};
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const End end = run_apart(session, seed);
    if (end == undisturbed) continue;
    if (end.outcome < 0) return {false, OtherEnd{seed, "breaks off", false}};
    const auto outcome = static_cast<run::Outcome>(end.outcome);
    const bool other_data = outcome == run::Outcome::kCompleted;
    return {false, OtherEnd{seed, other_data ? "ends with other data" : fmt::format("ends: {}", run::name(outcome)),
                            other_data}};
  }
  return {};
}

}  // namespace podsim::cli
