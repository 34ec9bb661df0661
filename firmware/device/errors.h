// What a program can be told by its device at run time.
#pragma once

#include <stdexcept>

namespace podsim::firmware {

// A request for more memory or more semaphores than the chip has.
struct OutOfResources : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A call that makes no sense, such as a copy between buffers of different size.
struct ProgramError : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace podsim::firmware
