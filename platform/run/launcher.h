// Runs one firmware program on every chip of a pod, to its end or to whatever else happens, and says which.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "firmware/device/device.h"
#include "platform/pod/pod.h"
#include "platform/run/outcome.h"

namespace podsim::run {

struct LaunchResult {
  Outcome outcome = Outcome::kCompleted;
  std::string explanation;   // one screen, for people; empty when completed
  Picoseconds time = 0;      // from the start to the end of the last chip's program, or to the end of all events
  std::uint64_t events = 0;  // fired by the event queue
  std::vector<std::string> details;  // the explanation's facts, one each (for programs)
};

class Launcher {
 public:
  // `pod` outlives the launcher. Elaborates the simulation.
  explicit Launcher(pod::Pod& pod);
  ~Launcher();

  // The chip's side of the pod, for allocating buffers that a program is given.
  [[nodiscard]] firmware::Device& device(ChipId chip) { return *devices_[index(chip)]; }
  // Gives all memory and all semaphores back. Call before allocating for a program.
  void reset_allocation();

  // `program(device)` makes a chip's program. Simulated time goes on where the last launch left it. `time_limit`:
  // simulated time for this launch.
  LaunchResult launch(const std::function<firmware::Task(firmware::Device&)>& program, Picoseconds time_limit);

 private:
  [[nodiscard]] bool any_running() const;

  pod::Pod& pod_;
  std::vector<std::unique_ptr<firmware::Device>> devices_;
};

}  // namespace podsim::run
