// Keeps SystemC's own messages from the user: errors become exceptions, the rest goes to the log.
#pragma once

#include <stdexcept>

namespace podsim::cli {

// A SystemC error: always a fault of podsim.
struct SystemcError : std::logic_error {
  using std::logic_error::logic_error;
};

void take_over_systemc_reports();

}  // namespace podsim::cli
