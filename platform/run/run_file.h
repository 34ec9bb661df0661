// A run file (configs/runs/*.yaml): a pod, and the steps to run on it one after the other.
//
//   description: what this run shows
//   pod: tpu-v5e-4x4          # a preset or a path; any of its keys may be overridden beside it
//   data: auto                # real, none
//   time_limit: 1 s           # simulated, for each step
//   steps:
//     - {collective: all_reduce, axes: [x, y], size: 1 MiB, type: bf16, reduction: sum, directions: both}
//     - {collective: all_reduce, groups: [[0, 5], [3, 10]], algorithm: ring, size: 1 MiB}
//     - {collective: collective_permute, elements: 5, pairs: [[0, 1], [[1, 0], [0, 0]]]}
//     - {program: host_offload, size: 1 MiB, repeat: 3}
//     - sequence:             # one program; its calls follow each other with nothing in between
//         - {collective: all_reduce, size: 1 MiB, axes: [x], async: true}
//         - {pause: 10 us, chips: [3]}
//         - {collective: all_gather, size: 1 MiB, except: [[1, 1]]}
//   checks: all               # contracts, none; auto: all on up to 64 chips
//   on_violation: stop        # run: let it go on as hardware would
//   symmetry: auto            # on: one chip stands for all; off: model each; auto: one on more than 64, where it can
//   progress_limit: 10 ms     # simulated, busy without getting on
//   expect: {outcome: deadlock, says: [chip 3]}   # for tests
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/config/layers.h"
#include "platform/pod/pod_config.h"
#include "platform/run/runner.h"

namespace podsim::run {

struct PlannedStep {
  Step step;
  config::SourceMark mark;  // where it is written, for errors that only show when it runs
};

// How a run ends that is there to show something. It changes nothing about the run; tests hold it against the result.
struct Expectation {
  Outcome outcome = Outcome::kCompleted;
  std::vector<std::string> says;  // each is a part of the explanation
  unsigned perturb = 0;           // seeds to try it with; 0: undisturbed
};

struct RunFile {
  std::string description;
  pod::PodConfig pod;
  DataMode data = DataMode::kAuto;
  RunOptions options;
  std::vector<PlannedStep> steps;  // `repeat` unrolled
  std::optional<Expectation> expect;
};

// Throws ConfigError with all that is wrong with the document's keys, or with the first thing that does not fit the
// pod: an axis that it does not have, a chip out of range, a size that is no whole number of elements.
[[nodiscard]] RunFile read_run(const config::ConfigDocument& document);

// The axis of that name. `mark` and `key` say where the name stands. Throws ConfigError.
[[nodiscard]] ici::Axis find_axis(const std::string& name, const ici::TorusShape& torus, const config::SourceMark& mark,
                                  const std::string& key);

// The algorithm of that name, if it serves the collective; throws like find_axis().
[[nodiscard]] firmware::Algorithm find_algorithm(const std::string& name, firmware::CollectiveKind kind,
                                                 const config::SourceMark& mark, const std::string& key);

// torus_shape() and check() of platform/pod, as ConfigErrors.
[[nodiscard]] ici::TorusShape checked_shape(const pod::PodConfig& config, const config::SourceMark& mark);

}  // namespace podsim::run
