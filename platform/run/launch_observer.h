// Whoever wants to follow launches: what a launcher tells beyond what blocks and devices tell. Nothing here can change
// simulated time.
#pragma once

#include <vector>

#include "firmware/module/executor.h"
#include "platform/check/bus_watcher.h"

namespace podsim::run {

struct LaunchResult;  // launcher.h
struct ModulePlan;    // module_plan.h

class LaunchObserver : public firmware::DeviceObserver, public check::IssueListener {
 public:
  // A step, or one of its iterations, begins at this moment.
  virtual void launch_began(Picoseconds now) = 0;
  // Nothing more will happen in it. What follows (explanations) may run the programs on.
  virtual void launch_stopped(Picoseconds now) = 0;
  virtual void launch_ended(const LaunchResult& result) = 0;
  // The launch was of a module, by chip.
  virtual void module_executed(const firmware::Module& module, const ModulePlan& plan,
                               const std::vector<firmware::Execution>& chips) = 0;
  // The launch that ended last is not the step's result: a trial of another order.
  virtual void launch_discarded() = 0;

 protected:
  ~LaunchObserver() = default;
};

}  // namespace podsim::run
