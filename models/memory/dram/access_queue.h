// Column accesses that wait in a channel's controller, in the order of their arrival.
#pragma once

#include <cstdint>
#include <vector>

#include "models/memory/dram/bank_state.h"

namespace podsim::memory {

struct DramAccess {
  DramTick arrival = 0;
  std::uint64_t row = 0;
  BankPlace place;
  std::uint32_t request = 0;  // whose access it is, for the caller
  bool write = false;
  bool activated = false;  // its row was opened for it: the bank stays open until it has been served
};

// When the data of an access is through.
struct DramDone {
  DramTick at = 0;     // end of the data on the bus
  DramTick taken = 0;  // its column command
  std::uint32_t request = 0;
  bool write = false;
};

using AccessQueue = std::vector<DramAccess>;

}  // namespace podsim::memory
