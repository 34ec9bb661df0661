#include "platform/cli/perturbed_runs.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

namespace podsim::cli {

namespace {

// What a process finds out.
struct End {
  int outcome = -1;  // -1: the process came to grief
  std::uint64_t digest = 0;
  auto operator<=>(const End&) const = default;
};

End run_here(Session& session, std::uint64_t seed) {
  session.perturb(seed);
  End end;
  run::Outcome outcome = run::Outcome::kCompleted;
  session.run([&](const report::StepRecord& step) {
    end.digest = end.digest * 31 + step.result.digest;
    outcome = step.result.outcome;
  });
  end.outcome = static_cast<int>(outcome);
  return end;
}

End run_apart(Session& session, std::uint64_t seed) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("can't make a pipe");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("can't start a process");
  if (child == 0) {
    End end;
    try {
      end = run_here(session, seed);
    } catch (...) {  // a config error shows in the undisturbed run too
    }
    const bool written = ::write(ends[1], &end, sizeof end) == sizeof end;
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  End end;
  if (::read(ends[0], &end, sizeof end) != sizeof end) end = {};
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
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
