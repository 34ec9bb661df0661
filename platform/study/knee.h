// Where a curve bends, and which points no other one beats.
#pragma once

#include <optional>
#include <vector>

#include "platform/study/study_fields.h"

namespace podsim::study {

struct XY {
  double x = 0;
  double y = 0;
  auto operator<=>(const XY&) const = default;
};

// Position of the curve's knee: the point farthest from the chord between its ends, with both axes scaled to [0, 1] (V.
// Satopaa et al., "Finding a Kneedle in a Haystack", ICDCS Workshops 2011, without its smoothing). A curve that bends
// both ways, as bandwidth does over a logarithm of sizes, has its knee where it levels off; only one that never does
// has it where it takes off. `curve` is sorted by x. Nothing for fewer than three points, and for a curve that stays
// within a tenth of its height of the chord: a straight line has no knee.
[[nodiscard]] std::optional<std::size_t> knee(const std::vector<XY>& curve);

// Positions of the points that no other one beats in one coordinate without being worse in the other (the Pareto
// front), by x; of equal points the first.
[[nodiscard]] std::vector<std::size_t> pareto_front(const std::vector<XY>& points, Better x, Better y);

}  // namespace podsim::study
