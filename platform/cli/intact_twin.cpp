#include "platform/cli/intact_twin.h"

#include <algorithm>
#include <cstring>

#include "platform/cli/session.h"
#include "platform/run/apart.h"

namespace podsim::cli {

namespace {

std::string run_here(const run::RunFile& plan) {
  report::RunRecord record;
  Session session(plan, record);
  std::vector<Picoseconds> times;
  session.run([&](const report::StepRecord& step) { times.push_back(step.result.time); });
  if (record.outcome != run::Outcome::kCompleted) return {};
  return {reinterpret_cast<const char*>(times.data()), times.size() * sizeof(Picoseconds)};
}

}  // namespace

std::vector<Picoseconds> times_with_links_alive(const run::RunFile& plan) {
  run::RunFile intact = plan;
  if (std::erase_if(intact.pod.links, [](const pod::LinkOverride& link) { return link.dead; }) == 0) return {};
  intact.data = run::DataMode::kNone;
  intact.options.checks = run::CheckLevel::kNone;

  // What is wrong with the plan shows in the run itself.
  const std::optional<std::string> answer = run::do_apart({[&] { return run_here(intact); }}).front();
  std::vector<Picoseconds> times(plan.steps.size());
  if (!answer || answer->size() != times.size() * sizeof(Picoseconds)) return {};
  std::memcpy(times.data(), answer->data(), answer->size());
  return times;
}

}  // namespace podsim::cli
