// Holds a reader's program to a lab: loads it, tries it on every ring, times it, grades it. Each step runs in a process
// of its own, so that nothing that the program does hurts this one.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/lab/child_process.h"
#include "platform/lab/trial.h"

namespace podsim::lab {

struct RingRecord {
  TrialRing ring;
  TrialResult result;
};

struct LabReport {
  std::vector<RingRecord> rings;     // up to the first that fails
  std::optional<RingRecord> timing;  // if all is right
  Grade grade = Grade::kFails;
  bool passed = false;
  // Of what failed: as a run's, 1 for what is none; 0 if all passed. And what podsim says of it.
  std::string outcome = "completed";
  int exit_code = 0;
  std::string explanation;
  std::vector<std::string> details;
};

class Checker {
 public:
  // `shared_object` has an extern "C" function `entry` that returns the program. `root`: where the presets are.
  Checker(const Lab& lab, std::filesystem::path shared_object, std::string entry, std::filesystem::path root,
          const Limits& limits);

  // Why the program can't be loaded, if it can't.
  [[nodiscard]] std::optional<std::string> load_error() const;
  // `on_ring` is told of each ring as it has been tried.
  [[nodiscard]] LabReport run(const std::function<void(const RingRecord&)>& on_ring) const;

 private:
  [[nodiscard]] TrialResult apart(const std::function<TrialResult(const Trial&)>& what) const;

  const Lab& lab_;
  const std::filesystem::path shared_object_;
  const std::string entry_;
  const std::filesystem::path root_;
  const Limits limits_;
};

}  // namespace podsim::lab
