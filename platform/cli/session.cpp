#include "platform/cli/session.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "firmware/device/errors.h"
#include "platform/cli/process_pod.h"
#include "platform/report/number_text.h"
#include "platform/run/symmetry.h"

namespace podsim::cli {

namespace {

std::string auto_reason(const std::vector<run::Step>& steps, const ici::TorusShape& torus) {
  Bytes largest = 0;
  for (const run::Step& step : steps) largest = std::max(largest, run::footprint(step, torus));
  return fmt::format("auto: to move and check the largest step's data takes {} of memory here, {} {}",
                     report::bytes_text(largest), largest <= run::kMostAutoBytes ? "at most" : "more than",
                     report::bytes_text(run::kMostAutoBytes));
}

// `recorded`: what happens on each chip is asked for.
pod::Extent extent_of(const std::vector<run::Step>& steps, const run::RunFile& plan, const ici::TorusShape& torus,
                      bool with_data, bool recorded) {
  if (recorded && plan.options.symmetry == run::Symmetry::kOn) {
    throw config::ConfigError(plan.steps.front().mark, "symmetry",
                              "one chip can't stand for all: a trace or report shows each of them");
  }
  if (recorded) return pod::Extent::kAllChips;
  try {
    return run::chosen_extent(steps, plan.pod, torus, plan.options, with_data);
  } catch (const std::invalid_argument& error) {
    throw config::ConfigError(plan.steps.front().mark, "symmetry", error.what());
  }
}

// nccl-tests' way: the mean time; wrong values of all iterations together.
run::StepResult mean_of(const std::vector<run::StepResult>& results) {
  run::StepResult mean = results.back();
  if (results.size() == 1) return mean;
  const auto n = results.size();
  Picoseconds time = 0;
  std::uint64_t wrong = 0, events = 0;
  double wall = 0, factor = mean.algbw_GBps > 0 ? mean.busbw_GBps / mean.algbw_GBps : 0;
  for (const run::StepResult& result : results) {
    time += result.time;
    wrong += result.wrong.value_or(0);
    events += result.events;
    wall += result.wall_s;
  }
  const double cycle = mean.time > 0 ? static_cast<double>(mean.cycles) / static_cast<double>(mean.time) : 0;
  mean.time = time / static_cast<Picoseconds>(n);
  mean.cycles = static_cast<std::uint64_t>(cycle * static_cast<double>(mean.time));
  mean.events = events / n;
  mean.wall_s = wall / static_cast<double>(n);
  if (mean.wrong) mean.wrong = wrong;
  if (mean.time > 0) mean.algbw_GBps = static_cast<double>(mean.bytes) * 1e3 / static_cast<double>(mean.time);
  mean.busbw_GBps = mean.algbw_GBps * factor;
  return mean;
}

// "all_reduce of 1 MiB, iteration 2"
std::string observed_name(const run::PlannedStep& planned, std::size_t iteration, unsigned iterations) {
  const Bytes bytes = run::total_bytes(planned.step);
  return planned.step.name + (bytes > 0 ? " of " + report::bytes_text(bytes) : "") +
         (iterations > 1 ? fmt::format(", iteration {}", iteration + 1) : "");
}

}  // namespace

Session::Session(const run::RunFile& plan, report::RunRecord& record, Observation* observation)
    : plan_(plan), record_(record), observation_(observation) {
  const config::SourceMark mark = plan.steps.front().mark;
  const ici::TorusShape torus = run::checked_shape(plan.pod, mark);
  std::vector<run::Step> steps;
  for (const run::PlannedStep& planned : plan.steps) steps.push_back(planned.step);
  record_.with_data = run::moves_data(plan.data, steps, torus);
  if (plan.data == run::DataMode::kAuto) record_.data_reason = auto_reason(steps, torus);
  const pod::Extent extent =
      extent_of(steps, plan, torus, record_.with_data, observation_ != nullptr && observation_->wanted());
  spdlog::debug("building {} chips{}", torus.chips(), extent == pod::Extent::kOneForAll ? ", as one" : "");
  pod_ = &build_process_pod(plan.pod, record_.with_data, extent, mark);
  record_.pod = report::record_pod(*pod_);
  run::RunOptions options = plan.options;
  if (observation_ != nullptr) observation_->attach(*pod_, options);
  runner_ = std::make_unique<run::Runner>(*pod_, options);
  spdlog::debug("built: {}", report::pod_line(record_.pod));
  const bool watched = observation_ != nullptr && observation_->watches_conductor();
  if (::isatty(STDERR_FILENO) != 0 && !watched)
    progress_ = std::make_unique<report::ProgressBar>(pod_->queue(), std::cerr);
}

void Session::run(const std::function<void(const report::StepRecord&)>& on_step, unsigned iterations) {
  for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
    const run::PlannedStep& planned = plan_.steps[i];
    if (progress_) progress_->begin_step(i + 1, plan_.steps.size(), planned.step.name);
    record_.steps.push_back(report::record_step(*pod_, run_step(planned, iterations)));
    const run::StepResult& result = record_.steps.back().result;
    spdlog::debug("step {}: {}, {} events", i + 1, result.name, result.events);
    if (progress_) progress_->clear();
    on_step(record_.steps.back());
    if (result.outcome == run::Outcome::kCompleted) continue;
    record_.outcome = result.outcome;
    record_.explanation = result.explanation;
    record_.details = result.details;
    record_.graph = result.graph;
    return;
  }
}

run::StepResult Session::run_step(const run::PlannedStep& planned, unsigned iterations) {
  std::vector<run::StepResult> results;
  try {
    while (results.size() < iterations) {
      if (observation_ != nullptr) observation_->begin_step(observed_name(planned, results.size(), iterations));
      results.push_back(runner_->run(planned.step));
      if (results.back().outcome != run::Outcome::kCompleted) return results.back();
    }
  } catch (const firmware::OutOfResources& error) {
    throw config::ConfigError(planned.mark, planned.step.name, error.what());
  } catch (const firmware::ProgramError& error) {
    throw config::ConfigError(planned.mark, planned.step.name, error.what());
  }
  return mean_of(results);
}

}  // namespace podsim::cli
