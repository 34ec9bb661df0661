// Runs modules on a pod: chooses the tiles of their kernels, finds out what each instruction takes alone, schedules,
// places the buffers, runs and checks.
#pragma once

#include <map>
#include <string>

#include "platform/pod/pod.h"
#include "platform/run/launcher.h"
#include "platform/run/module_result.h"
#include "platform/run/step.h"
#include "platform/stall/stall_watch.h"

namespace podsim::run {

class ModuleRunner {
 public:
  // Both outlive the runner.
  ModuleRunner(pod::Pod& pod, Launcher& launcher) : pod_(pod), launcher_(launcher) {}

  // The pod's counters are those of the module's own run at the end. Throws firmware::OutOfResources when the module
  // does not fit the chip.
  [[nodiscard]] StepResult run(const firmware::Module& module, const ScheduleOptions& options);

 private:
  struct Launched {
    LaunchResult launch;
    std::vector<firmware::Execution> chips;
    std::vector<firmware::Placement> places;  // by chip
    std::vector<std::vector<stall::Stalls>> stalls;
  };

  [[nodiscard]] firmware::Module prepared(firmware::Module module) const;
  [[nodiscard]] Durations measure(const firmware::Module& module, const ScheduleOptions& options);
  [[nodiscard]] Picoseconds measure(const firmware::Module& module, std::size_t instruction,
                                    const ScheduleOptions& options);
  // `fill` is called with the places of all chips before they start. `watch`: null to do without.
  [[nodiscard]] Launched launch(const firmware::Module& module, const ModulePlan& plan,
                                const std::function<void(const std::vector<firmware::Placement>&)>& fill = {},
                                stall::StallWatch* watch = nullptr);

  pod::Pod& pod_;
  Launcher& launcher_;
  std::map<std::string, Picoseconds> measured_;  // by what the instruction does
  std::unique_ptr<stall::StallWatch> watch_;     // from the first module on: others are not listened to
};

}  // namespace podsim::run
