// What the run of a module came to, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/report/run_record.h"

namespace podsim::report {

// Shares of the step for which a chip's hardware was busy, on the chip where that was longest: no step can be shorter
// than the longest of them says.
struct Bounds {
  double mxu = 0, vpu = 0, hbm = 0, ici = 0, pcie = 0;

  // "ICI", "MXU", ...: the nearest bound.
  [[nodiscard]] std::string nearest() const;
  [[nodiscard]] double most() const;
};
[[nodiscard]] Bounds bounds_of(const StepRecord& step);

// The schedule before and after, the transfers with what was hidden and what exposed, why gaps are not wider, and where
// the step's time went. Long schedules are cut.
[[nodiscard]] std::string module_text(std::size_t number, const StepRecord& step);
// Of all modules of a run.
[[nodiscard]] std::string module_summary(const RunRecord& run);
[[nodiscard]] nlohmann::ordered_json module_json(const StepRecord& step);

}  // namespace podsim::report
