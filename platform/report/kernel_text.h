// What a run's kernels reached, for people: a table under the steps, and why their tiles are what they are.
#pragma once

#include <string>

#include "platform/report/block_json.h"
#include "platform/report/run_record.h"

namespace podsim::report {

// Empty for a run without kernels.
[[nodiscard]] std::string kernel_summary(const RunRecord& run);
// The same figures for programs; null without kernels.
[[nodiscard]] Json kernel_json(const run::StepResult& result);

}  // namespace podsim::report
