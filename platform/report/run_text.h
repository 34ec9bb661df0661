// What `podsim run` prints: a header, a line for each step as it ends, link use, and how it ended.
#pragma once

#include <string>

#include "platform/report/run_record.h"

namespace podsim::report {

// The pod, and whether data moves.
[[nodiscard]] std::string run_header(const RunRecord& run);
// Titles of the step lines.
[[nodiscard]] std::string step_header();
// `number` counts from 1.
[[nodiscard]] std::string step_line(std::size_t number, const run::StepResult& result);
// Per step: mean and largest busy share of each axis and direction, and the busiest link. Empty for a pod without
// links.
[[nodiscard]] std::string link_summary(const RunRecord& run);
// What dead links cost each step, in packets that took a detour. Empty for a pod without dead links.
[[nodiscard]] std::string detour_summary(const RunRecord& run);
// How the run ended; with its explanation when it did not complete, which takes at least one step.
// `planned`: steps of the run file.
[[nodiscard]] std::string run_footer(const RunRecord& run, std::size_t planned);

}  // namespace podsim::report
