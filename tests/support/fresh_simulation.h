// SystemC elaborates once per simulation context. A process that simulates several times in turn, such as a benchmark,
// starts each time from a fresh context; no module or event of the one before may be alive.
#pragma once

#include <systemc>

namespace podsim::testing {

inline void fresh_simulation() { sc_core::sc_get_curr_simcontext()->reset(); }

}  // namespace podsim::testing
