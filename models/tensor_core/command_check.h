// Whether a command can be carried out at all. Free of SystemC.
#pragma once

#include "models/tensor_core/command_footprint.h"

namespace podsim::tensor_core {

// Null for a good command, else what is wrong with it, in words. Looks at opcode, type, sizes and regions; whether
// memory is really there is for the memory to say.
[[nodiscard]] const char* fault_of(const Command& command);

}  // namespace podsim::tensor_core
