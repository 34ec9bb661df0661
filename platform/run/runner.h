// Runs steps on a pod, one after the other: fills the buffers, launches the program, checks the data, works out the
// bandwidths.
#pragma once

#include "platform/pod/pod.h"
#include "platform/run/launcher.h"
#include "platform/run/step.h"

namespace podsim::run {

// `data` of a run: move bytes and check them, move none, or decide by how much memory that would take.
enum class DataMode { kReal, kNone, kAuto };

// Bytes that a step's buffers and storage will take on this machine, when data moves.
[[nodiscard]] Bytes footprint(const Step& step, const ici::TorusShape& torus);
// The largest footprint of a step with which kAuto still moves data.
inline constexpr Bytes kMostAutoBytes = kGiB;
// Whether data is to move.
[[nodiscard]] bool moves_data(DataMode mode, const std::vector<Step>& steps, const ici::TorusShape& torus);

class Runner {
 public:
  // `pod` outlives the runner. Whether data moves was decided when the pod was built.
  explicit Runner(pod::Pod& pod, Picoseconds time_limit = kDefaultTimeLimit);

  // Runs one step on freshly allocated buffers, with the pod's counters set to zero before it. Throws
  // firmware::OutOfResources or firmware::ProgramError when the step can't be run on this pod.
  StepResult run(const Step& step);

  static constexpr Picoseconds kDefaultTimeLimit = 1000 * kPicosecondsPerSecond;

 private:
  struct Buffers;
  struct Part;  // a step, or something beside it

  [[nodiscard]] Buffers allocate(const Step& step, ChipId chip);
  [[nodiscard]] std::vector<Part> prepare(const Step& step);
  LaunchResult launch(std::vector<Part>& parts);
  [[nodiscard]] StepResult result_of(const Part& part, const LaunchResult& launched);

  pod::Pod& pod_;
  const Picoseconds time_limit_;
  Launcher launcher_;
};

}  // namespace podsim::run
