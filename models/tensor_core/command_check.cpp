#include "models/tensor_core/command_check.h"

namespace podsim::tensor_core {

namespace {

// An operand is in HBM or VMEM and does not run over the end of the region.
const char* fault_of_operand(Address address, Wide bytes) {
  const Region region = region_of(address);
  if (region != Region::kHbm && region != Region::kVmem) return "an operand is neither in HBM nor in VMEM";
  if (offset_of(address) + bytes > kOffsetMask) return "an operand runs over the end of its memory region";
  return nullptr;
}

const char* fault_of_operands(const Command& command) {
  const auto bytes = footprint_of<Wide>(command);
  if (has_a(command)) {
    if (const char* fault = fault_of_operand(command.a, bytes.a)) return fault;
  }
  if (has_b(command)) {
    if (const char* fault = fault_of_operand(command.b, bytes.b)) return fault;
  }
  return fault_of_operand(command.destination, bytes.destination);
}

bool is_floating(DType type) { return sum_type(type) == DType::kF32; }

}  // namespace

const char* fault_of(const Command& command) {
  if (size_of(command.type) == 0) return "unknown number type";
  const bool signals = command.semaphore != ~Address{0};
  if (signals && region_of(command.semaphore) != Region::kSemaphores)
    return "the semaphore address is not a semaphore's";
  if (size_of(result_type(command)) == 0) return "unknown number type of the result";
  switch (command.opcode) {
    case Opcode::kAdd:
    case Opcode::kMax:
    case Opcode::kMin:
    case Opcode::kMultiply:
    case Opcode::kFill:
    case Opcode::kConvert:
    case Opcode::kRowMax:
    case Opcode::kRowSum: break;
    case Opcode::kRowExp:
    case Opcode::kRowMultiply:
    case Opcode::kRowDivide:
      if (!is_floating(command.type) || !is_floating(result_type(command))) return "not a command on integers";
      break;
    case Opcode::kMatmul:
      if (command.type == DType::kS32) return "the matrix unit does not multiply s32";
      break;
    default: return "unknown opcode";
  }
  return fault_of_operands(command);
}

}  // namespace podsim::tensor_core
