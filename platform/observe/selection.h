// Which part of a run is traced: chips, and a window of time.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "models/ici/torus.h"
#include "models/kernel/units.h"

namespace podsim::observe {

struct Selection {
  std::vector<bool> chips;  // by chip; empty: all
  Picoseconds from = 0;
  Picoseconds to = std::numeric_limits<Picoseconds>::max();

  [[nodiscard]] bool has(ChipId chip) const { return chips.empty() || chips[index(chip)]; }
  // Whether something that lasts so long is seen.
  [[nodiscard]] bool overlaps(Picoseconds begin, Picoseconds end) const { return begin <= to && end >= from; }
};

// Chips by number, by range and by coordinate, with commas between them: "0-7,12,x=0". Throws std::invalid_argument
// with what is wrong and what was expected.
[[nodiscard]] std::vector<bool> parse_chips(const std::string& text, const ici::TorusShape& torus);

}  // namespace podsim::observe
