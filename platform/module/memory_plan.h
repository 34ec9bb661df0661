// Where the buffers of a program lie: each is live for some slots of the program's order, and buffers that are live at
// the same time don't overlap. First fit, in the order of their beginnings; larger ones first among those that begin
// together.
#pragma once

#include <cstddef>
#include <vector>

#include "models/kernel/units.h"

namespace podsim::module {

struct Lifetime {
  Bytes bytes = 0;
  std::size_t first = 0, last = 0;  // slots, both included
};

struct MemoryPlan {
  std::vector<Bytes> offsets;  // by buffer
  Bytes size = 0;              // of all, with what lies idle between them
  Bytes peak = 0;              // live at the same time, at most
};

// Buffers begin at multiples of `alignment`, a power of two.
[[nodiscard]] MemoryPlan plan_memory(const std::vector<Lifetime>& buffers, Bytes alignment = 512);

}  // namespace podsim::module
