// Whether a command can be carried out at all. Free of SystemC.
#pragma once

#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::tensor_core {

// Null for a good command, else what is wrong with it, in words. Looks at opcode, type, sizes and regions; whether
// memory is really there is for the memory to say.
[[nodiscard]] const char* fault_of(const Command& command);

// Bytes of a matmul's operands and result. Only for a command without fault.
struct MatmulSizes {
  Bytes a = 0;
  Bytes b = 0;
  Bytes result = 0;
};
[[nodiscard]] MatmulSizes sizes_of(const Command& command);

}  // namespace podsim::tensor_core
