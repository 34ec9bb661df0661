// A run as JSON, for programs. Keys, in this order:
//
//   podsim (version), command, file, description, pod {name, chip, chips, shape, axes, links, hosts}, data,
//   data_reason, outcome, explanation, details, critical_path and timeline (if asked for), results
//
// and in each of `results`: name, outcome, explanation, details, size_bytes, count, type, reduction, group_size,
// algorithm, hop_stretch, time_ps, time_us, cycles, algbw_GBps, busbw_GBps, wrong (null: not checked), events, wall_s,
// links, blocks, hosts.
// When there is one result alone, its fields from size_bytes on stand at the top level too. The same run gives the same
// bytes, but for wall_s.
#pragma once

#include <ostream>

#include "platform/report/block_json.h"

namespace podsim::report {

[[nodiscard]] Json step_json(const StepRecord& step, const ici::TorusShape& torus);

// Writes step by step, since the counters of thousands of chips make a large document.
void write_json_report(std::ostream& out, const RunRecord& run);

}  // namespace podsim::report
