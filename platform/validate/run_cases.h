// Reference figures that whole runs are held against: configs/validation/*.yaml.
//
//   description: TPU pods, measured
//   cases:
//     - id: M22-402MB
//       what: all-gather over 4 chips, 402.7 MB received by each
//       kind: measured            # simulator, paper, worked, vendor
//       source: where the figure is from
//       expected: {time: 2252.34 us}
//       tolerance: 15             # per cent
//       fitted: ici.bandwidth_per_direction      # constants that were fitted to this figure, if any
//       explained: why the model is outside its tolerance, where that is known
//       run: {pod: tpu7x-2x2x1, steps: [{collective: all_gather, size: 537 MB}]}
//     - id: M32
//       expected: {speedup: 1.63}
//       run: {pod: tpu-v4-4x4x8-twisted, steps: [...]}
//       against: {pod: tpu-v4-4x4x8, steps: [...]}           # speedup = its time / the run's
//
// The figure is that of the run's last step: `time`, `algbw`, `busbw`, `tflops`. With `against`, `speedup`. `less: 400
// ns` takes that off the model's time, for what the reference leaves out.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "platform/run/run_file.h"
#include "platform/validate/reference.h"

namespace podsim::validate {

enum class Measure { kTime, kAlgbw, kBusbw, kTflops, kSpeedup };

struct RunCase {
  Reference reference;
  Measure measure = Measure::kTime;
  Duration less;  // of the model's time, which the reference leaves out
  run::RunFile run;
  std::optional<run::RunFile> against;
};

struct RunCases {
  std::string name;  // of the file
  std::string description;
  std::vector<RunCase> cases;
};

// Throws ConfigError. Presets that the runs name are found in `root`.
[[nodiscard]] RunCases read_run_cases(const std::filesystem::path& file, const std::filesystem::path& root);

// The same of a document in memory.
[[nodiscard]] RunCases read_run_cases(const config::ConfigDocument& document, const std::filesystem::path& root);

// The model's figure, in the unit of the reference, found by simulating in this process, which must have no pod yet.
// Only one of a process's runs can be simulated: `against` says which. Throws std::runtime_error when it does not
// complete.
[[nodiscard]] double simulate(const RunCase& each, bool against);

}  // namespace podsim::validate
