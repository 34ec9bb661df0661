// What `podsim bench` prints: the columns of nccl-tests, and after them what a simulator can tell besides.
#pragma once

#include <string>

#include "platform/report/run_record.h"

namespace podsim::report {

// Comment lines: pod, data mode, `call` (what is run), column titles and units.
[[nodiscard]] std::string bench_header(const RunRecord& run, const std::string& call);
[[nodiscard]] std::string bench_row(const run::StepResult& result);
// Out of bounds values and average bus bandwidth, in nccl-tests' words; the explanation of a run that failed.
[[nodiscard]] std::string bench_footer(const RunRecord& run);

}  // namespace podsim::report
