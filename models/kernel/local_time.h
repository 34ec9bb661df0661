// The simulated time of whoever runs at the moment: SystemC's, or that of a chip which has run ahead of it
// (conductor.h). Blocks that own no timers ask for it here; the others ask their queue.
//
// As in TLM-2.0's temporal decoupling, where an initiator's local time is the kernel's plus what it is ahead.
#pragma once

#include <systemc>

#include "models/kernel/units.h"

namespace podsim::kernel {

namespace detail {
inline const Picoseconds* running_clock = nullptr;  // of the conductor that dispatches; null: SystemC's time counts
}

[[nodiscard]] inline Picoseconds local_time() {
  if (detail::running_clock != nullptr) return *detail::running_clock;
  return static_cast<Picoseconds>(sc_core::sc_time_stamp().value());
}

}  // namespace podsim::kernel
