#include "platform/cli/intact_twin.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "platform/cli/session.h"

namespace podsim::cli {

namespace {

std::vector<Picoseconds> run_here(const run::RunFile& plan) {
  report::RunRecord record;
  Session session(plan, record);
  std::vector<Picoseconds> times;
  session.run([&](const report::StepRecord& step) { times.push_back(step.result.time); });
  return record.outcome == run::Outcome::kCompleted ? times : std::vector<Picoseconds>{};
}

}  // namespace

std::vector<Picoseconds> times_with_links_alive(const run::RunFile& plan) {
  run::RunFile intact = plan;
  if (std::erase_if(intact.pod.links, [](const pod::LinkOverride& link) { return link.dead; }) == 0) return {};
  intact.data = run::DataMode::kNone;
  intact.options.checks = run::CheckLevel::kNone;

  std::FILE* const answer = std::tmpfile();  // not a pipe: any number of steps fits
  if (answer == nullptr) return {};
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    [[maybe_unused]] const std::FILE* nowhere = std::freopen("/dev/null", "w", stderr);  // its progress is not ours
    std::vector<Picoseconds> times;
    try {
      times = run_here(intact);
    } catch (...) {  // what is wrong with the plan shows in the run itself
    }
    std::fwrite(times.data(), sizeof(Picoseconds), times.size(), answer);
    std::fflush(answer);
    ::_exit(0);
  }
  std::vector<Picoseconds> times;
  if (child > 0) {
    int status = 0;
    ::waitpid(child, &status, 0);
    std::rewind(answer);
    times.resize(plan.steps.size());
    const std::size_t read = std::fread(times.data(), sizeof(Picoseconds), times.size(), answer);
    if (read != times.size()) times.clear();
  }
  std::fclose(answer);
  return times;
}

}  // namespace podsim::cli
