// What dead links cost: the same steps on the same pod with those links alive.
#pragma once

#include <vector>

#include "platform/run/run_file.h"

namespace podsim::cli {

// Times by step, without moving data, measured in a process of its own (SystemC elaborates once a process): call it
// before this process builds its pod. Empty if no link is dead, or if the intact pod does not complete the steps.
[[nodiscard]] std::vector<Picoseconds> times_with_links_alive(const run::RunFile& plan);

}  // namespace podsim::cli
