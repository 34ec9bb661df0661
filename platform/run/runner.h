// Runs steps on a pod, one after the other: fills the buffers, launches the program, checks the data, works out the
// bandwidths.
#pragma once

#include "platform/check/step_data.h"
#include "platform/pod/pod.h"
#include "platform/run/launcher.h"
#include "platform/run/module_runner.h"
#include "platform/run/run_options.h"
#include "platform/run/sequence.h"
#include "platform/run/step.h"

namespace podsim::run {

// `data` of a run: move bytes and check them, move none, or decide by how much memory that would take.
enum class DataMode { kReal, kNone, kAuto };

// S of a step, in nccl-tests' sense: the size of its call, or of its calls together.
[[nodiscard]] Bytes total_bytes(const Step& step);
// Bytes that a step's buffers and storage will take on this machine, when data moves.
[[nodiscard]] Bytes footprint(const Step& step, const ici::TorusShape& torus);
// The largest footprint of a step with which kAuto still moves data.
inline constexpr Bytes kMostAutoBytes = kGiB;
// And the most operations of its kernels, which are carried out here as well.
inline constexpr double kMostAutoFlops = 4e9;
// Whether data is to move.
[[nodiscard]] bool moves_data(DataMode mode, const std::vector<Step>& steps, const ici::TorusShape& torus);

class Runner {
 public:
  // `pod` outlives the runner. Whether data moves was decided when the pod was built.
  explicit Runner(pod::Pod& pod, const RunOptions& options = {});

  // Runs one step on freshly allocated buffers, with the pod's counters set to zero before it. Throws
  // firmware::OutOfResources or firmware::ProgramError when the step can't be run on this pod.
  StepResult run(const Step& step);
  // As Launcher's.
  void perturb(std::uint64_t seed) { launcher_.perturb(seed); }
  [[nodiscard]] firmware::Device& device(ChipId chip) { return launcher_.device(chip); }

 private:
  struct Part;    // one call, or a program, with buffers of its own
  struct Strand;  // what runs as one program: the step, with a part for each call of its sequence, or one beside it

  [[nodiscard]] CallBuffers allocate(const Step& part, ChipId chip);
  // `of`: the part whose result is this one's input, or null.
  [[nodiscard]] Part prepare(const Step& part, const Part* of = nullptr);
  [[nodiscard]] std::vector<TokenResult> tokens(Picoseconds start);
  [[nodiscard]] std::vector<Strand> strands_of(const Step& step);
  LaunchResult launch(std::vector<Strand>& strands);
  [[nodiscard]] StepResult result_of(const Strand& strand, const LaunchResult& launched);
  [[nodiscard]] std::optional<KernelFigures> kernel_figures(const Strand& strand, Picoseconds counted) const;
  [[nodiscard]] check::DataResult compare(const Part& part);
  void compare(const Strand& strand, StepResult& result);
  [[nodiscard]] std::uint64_t digest(const std::vector<Strand>& strands);

  pod::Pod& pod_;
  Launcher launcher_;
  ModuleRunner modules_{pod_, launcher_};
};

}  // namespace podsim::run
