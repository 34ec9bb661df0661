// A pod and the steps that are run on it: what `run` and `bench` have in common.
#pragma once

#include <functional>
#include <memory>

#include "platform/cli/observation.h"
#include "platform/report/progress_bar.h"
#include "platform/report/run_record.h"
#include "platform/run/run_file.h"

namespace podsim::cli {

class Session {
 public:
  // Builds the pod and decides whether data moves; `record` is filled in as far as it is known. `observation`, if any,
  // records what happens. All outlive the session. Throws ConfigError when the blocks refuse their configuration.
  Session(const run::RunFile& plan, report::RunRecord& record, Observation* observation = nullptr);

  // Runs the steps in turn, each `iterations` times and recorded with its mean, up to the first that does not complete.
  // `on_step` is told of each as it ends. Throws ConfigError for a step that the pod has no room for.
  void run(const std::function<void(const report::StepRecord&)>& on_step, unsigned iterations = 1);
  // As Launcher's.
  void perturb(std::uint64_t seed) { runner_->perturb(seed); }

 private:
  [[nodiscard]] run::StepResult run_step(const run::PlannedStep& planned, unsigned iterations);

  const run::RunFile& plan_;
  report::RunRecord& record_;
  Observation* const observation_;
  pod::Pod* pod_;  // the process's
  std::unique_ptr<run::Runner> runner_;
  std::unique_ptr<report::ProgressBar> progress_;  // on a terminal only
};

}  // namespace podsim::cli
