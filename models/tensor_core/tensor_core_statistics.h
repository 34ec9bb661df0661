// What a TensorCore counted, and what it tells its observers.
#pragma once

#include <cstdint>
#include <string>

#include "models/kernel/units.h"
#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::tensor_core {

struct TensorCoreStatistics {
  std::uint64_t commands = 0;        // completed
  std::uint64_t stalled_writes = 0;  // command writes that had to wait for room in the queue
  Picoseconds vpu_busy = 0;          // time the arithmetic took, whatever memory added
  Picoseconds mxu_busy = 0;
  std::uint64_t elements = 0;  // elements written by vector commands
  std::uint64_t flops = 0;     // one per element of a vector command (none for kFill), 2mkn for a matmul
  Bytes bytes_read = 0;
  Bytes bytes_written = 0;
  std::uint64_t errors = 0;  // commands refused or broken off
  std::string last_error;    // in words; empty without errors
};

struct CommandEvent {
  enum class What : std::uint8_t { kStarted, kFinished, kFailed };
  What what = What::kStarted;
  Picoseconds time = 0;
  Command command;
};

}  // namespace podsim::tensor_core
