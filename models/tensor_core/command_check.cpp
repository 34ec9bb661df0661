#include "models/tensor_core/command_check.h"

namespace podsim::tensor_core {

namespace {

constexpr Bytes kResultElement = 4;  // f32 or s32

// An operand is in HBM or VMEM and does not run over the end of the region.
const char* fault_of_operand(Address address, Wide bytes) {
  const Region region = region_of(address);
  if (region != Region::kHbm && region != Region::kVmem) return "an operand is neither in HBM nor in VMEM";
  if (offset_of(address) + bytes > kOffsetMask) return "an operand runs over the end of its memory region";
  return nullptr;
}

const char* first_of(const char* a, const char* b, const char* c) { return a ? a : b ? b : c; }

const char* fault_of_vector(const Command& command) {
  const auto bytes = static_cast<Wide>(command.count) * size_of(command.type);
  const char* const destination = fault_of_operand(command.destination, bytes);
  if (command.opcode == Opcode::kFill) return destination;
  return first_of(fault_of_operand(command.a, bytes), fault_of_operand(command.b, bytes), destination);
}

const char* fault_of_matmul(const Command& command) {
  if (command.type == DType::kS32) return "the matrix unit does not multiply s32";
  const auto extent = [](std::uint64_t x, std::uint64_t y, Bytes element) {
    return static_cast<Wide>(x) * y * element;
  };
  const Bytes element = size_of(command.type);
  return first_of(fault_of_operand(command.a, extent(command.m, command.k, element)),
                  fault_of_operand(command.b, extent(command.k, command.n, element)),
                  fault_of_operand(command.destination, extent(command.m, command.n, kResultElement)));
}

}  // namespace

const char* fault_of(const Command& command) {
  if (size_of(command.type) == 0) return "unknown number type";
  const bool signals = command.semaphore != ~Address{0};
  if (signals && region_of(command.semaphore) != Region::kSemaphores)
    return "the semaphore address is not a semaphore's";
  switch (command.opcode) {
    case Opcode::kAdd:
    case Opcode::kMax:
    case Opcode::kMin:
    case Opcode::kFill: return fault_of_vector(command);
    case Opcode::kMatmul: return fault_of_matmul(command);
  }
  return "unknown opcode";
}

MatmulSizes sizes_of(const Command& command) {
  const Bytes element = size_of(command.type);
  return {Bytes{command.m} * command.k * element, Bytes{command.k} * command.n * element,
          Bytes{command.m} * command.n * kResultElement};
}

}  // namespace podsim::tensor_core
