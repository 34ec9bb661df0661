// One trial of a lab's program: on one ring, undisturbed and under disturbances, or timed beside the library's own.
// Everything here belongs into a process of its own (child_process.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "firmware/labs/lab.h"
#include "models/kernel/units.h"
#include "platform/lab/lab.h"
#include "platform/lab/last_words.h"

namespace podsim::lab {

inline constexpr unsigned kDisturbances = 20;

struct TrialResult {
  std::string outcome = "completed";  // of a run; or "crash", "program error", "not your own", "work left out"
  int exit_code = 0;
  std::string explanation;           // podsim's own; empty when completed
  std::vector<std::string> details;  // its facts, one each
  unsigned disturbance = 0;          // under which it failed; 0: undisturbed
  // Of a timed trial.
  Picoseconds time = 0;
  Picoseconds reference = 0;  // of the library's own collective
  Picoseconds one_way = 0;    // what the field's formula says, all data one way round
  Picoseconds both_ways = 0;  // half of it each way

  [[nodiscard]] bool passed() const { return exit_code == 0; }
  [[nodiscard]] std::string to_text() const;
  [[nodiscard]] static TrialResult from_text(const std::string& text);
};

class Trial {
 public:
  // `root`: where the chips' presets are. All outlive the trial.
  Trial(const Lab& lab, const std::filesystem::path& root, firmware::LabProgram program, LastWords& last_words)
      : lab_(lab), root_(root), program_(program), last_words_(last_words) {}

  // Undisturbed, then under the disturbances, up to the first run that fails.
  [[nodiscard]] TrialResult check(const TrialRing& ring) const;
  [[nodiscard]] TrialResult time(const TrialRing& ring) const;

 private:
  const Lab& lab_;
  const std::filesystem::path& root_;
  firmware::LabProgram program_;
  LastWords& last_words_;
};

}  // namespace podsim::lab
