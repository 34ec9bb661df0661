// Runs one firmware program on every chip of a pod, to its end or to whatever else happens, and says which.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/device/device.h"
#include "platform/check/deadlock.h"
#include "platform/check/observers.h"
#include "platform/pod/pod.h"
#include "platform/run/outcome.h"
#include "platform/run/perturbation.h"
#include "platform/run/run_options.h"

namespace podsim::run {

struct LaunchResult {
  Outcome outcome = Outcome::kCompleted;
  std::string explanation;   // one screen, for people; empty when completed
  Picoseconds time = 0;      // from the start to the end of the last chip's program, or to the end of all events
  std::uint64_t events = 0;  // fired by the event queue
  std::vector<std::string> details;                  // the explanation's facts, one each (for programs)
  std::shared_ptr<const check::WaitForGraph> graph;  // who waits for whom, of a run that hangs
};

class Launcher {
 public:
  // `pod` outlives the launcher. Elaborates the simulation.
  explicit Launcher(pod::Pod& pod, const RunOptions& options = {});
  ~Launcher();

  // The seed of the disturbance of all launches from now on; 0: none. The options must have had one.
  void perturb(std::uint64_t seed);
  [[nodiscard]] bool may_be_perturbed() const { return options_.perturbation.has_value(); }

  // The chip's side of the pod, for allocating buffers that a program is given.
  [[nodiscard]] firmware::Device& device(ChipId chip) { return *devices_[index(chip)]; }
  // Gives all memory and all semaphores back. Call before allocating for a program.
  void reset_allocation();
  // A buffer that holds data before the next launch. The others are taken to be uninitialised.
  void note_written(const firmware::Buffer& buffer) { written_.push_back(buffer); }

  // `program(device)` makes a chip's program. Simulated time goes on where the last launch left it.
  // `time_limit`: simulated time for this launch, if other than the options'. `lookahead`: by how much chips may run
  // ahead of each other (run_ahead.h); they don't where somebody watches who wants things in order.
  LaunchResult launch(const std::function<firmware::Task(firmware::Device&)>& program,
                      std::optional<Picoseconds> time_limit = {}, Picoseconds lookahead = 0);
  // The options' observer follows launches, or, while it is not wanted, does not. Null without one.
  [[nodiscard]] LaunchObserver* observer() const { return options_.observer; }
  void let_observe(bool wanted) { observed_ = wanted; }

 private:
  struct Ends;

  scalar_core::RegisterBus& bus_of(ChipId chip);
  // Simulates until nothing is left to happen, the time is over, or somebody stops it. False: busy without progress.
  [[nodiscard]] bool simulate(Picoseconds limit);
  // Sum of what counts as progress.
  [[nodiscard]] std::uint64_t activity() const;
  [[nodiscard]] bool hardware_busy() const;
  [[nodiscard]] LaunchResult judge(const Ends& ends, check::Observers& observers, check::Hang hang);

  pod::Pod& pod_;
  const RunOptions options_;
  const check::ObserverChoice checks_;
  std::vector<std::unique_ptr<PerturbedBus>> perturbed_;  // by chip; none unless the options say so
  check::Observers::Watchers watchers_;                   // by chip; none unless hazards are looked for
  check::Observers::Watchers taps_;                       // by chip; none without an observer
  check::Devices devices_;
  std::vector<firmware::Buffer> written_;
  bool stopped_ = false;
  bool observed_ = true;
};

}  // namespace podsim::run
