// The values that a parameter goes through: a list, an even range, or a range that grows by a factor.
#pragma once

#include <string>
#include <vector>

#include "platform/study/study_fields.h"

namespace podsim::study {

inline constexpr std::size_t kMostValues = 10'000;

// From `from` to `to`, a `step` apart or `points` in all. Values are computed as from + i x step, so that errors don't
// add up, and written as YAML takes them: "from" 1 KiB, "step" 1 KiB gives "1 KiB", "2 KiB", ... Throws
// std::invalid_argument for ends of different units, a step that does not lead there, neither or both of step and
// points, and too many values.
[[nodiscard]] std::vector<std::string> even_range(const RangeEntry& range);

// The same, each the last one times `factor`, or `points` in all. Rounded values that come twice are there once.
[[nodiscard]] std::vector<std::string> log_range(const RangeEntry& range);

}  // namespace podsim::study
