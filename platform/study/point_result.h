// What became of a point: how its process ended, and what was collected from its JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/study/json_path.h"

namespace podsim::study {

struct PointResult {
  std::string outcome;  // as in the run's JSON; "usage error", "internal error" or "crashed" when there was none
  int exit_code = 0;    // 128 + N for signal N
  std::string diagnosis;
  Json collected = Json::object();  // by collected_as()
  double wall_s = 0;                // of its process; 0 where that is not known

  [[nodiscard]] bool completed() const { return outcome == "completed"; }
  // Whether podsim itself has said so in its JSON. Anything else may be the machine's fault, or that of a script which
  // has passed the command on, and is tried again.
  [[nodiscard]] bool is_final() const {
    return outcome != "usage error" && outcome != "internal error" && outcome != "crashed";
  }
  // Whether all of `collect` was looked for.
  [[nodiscard]] bool has(const std::vector<CollectEntry>& collect) const;
};

// The key of PointResult::collected: the path and what is taken of it, whatever the study calls it.
[[nodiscard]] std::string collected_as(const CollectEntry& collect);

// From what the process left: its JSON (empty if there is none), its standard error, and its exit code if known (128 +
// N for signal N). Nothing if these don't say that it ended: no JSON, or a broken one, and no exit code.
[[nodiscard]] std::optional<PointResult> result_of(const std::string& json, const std::string& err,
                                                   std::optional<int> exit_code,
                                                   const std::vector<CollectEntry>& collect);

[[nodiscard]] Json to_json(const PointResult& result);
// Nothing for text that to_json() has not made.
[[nodiscard]] std::optional<PointResult> result_from_json(const std::string& text);

}  // namespace podsim::study
