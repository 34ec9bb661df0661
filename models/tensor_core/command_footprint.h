// What a command reads and writes, in bytes. Free of SystemC; firmware uses it as well.
#pragma once

#include "models/tensor_core/tensor_core_registers.h"

namespace podsim::tensor_core {

template <class Size>
struct BasicFootprint {
  Size a = 0;
  Size b = 0;
  Size destination = 0;
  bool reads_destination = false;
};
using Footprint = BasicFootprint<Bytes>;

constexpr bool has_a(const Command& command) { return command.opcode != Opcode::kFill; }
constexpr bool has_b(const Command& command) {
  if (reduces_rows(command.opcode)) return command.b != kNoOperand;
  return command.opcode != Opcode::kFill && command.opcode != Opcode::kConvert;
}

// Type of the destination's elements.
constexpr DType result_type(const Command& command) {
  if (command.opcode == Opcode::kMatmul || reduces_rows(command.opcode)) return sum_type(command.type);
  return command.result.value_or(command.type);
}

// `Size` is wide enough for the command: Bytes for one without fault, Wide for any.
template <class Size = Bytes>
constexpr BasicFootprint<Size> footprint_of(const Command& command) {
  const auto extent = [](std::uint64_t x, std::uint64_t y, DType type) { return Size{x} * y * size_of(type); };
  const DType sums = sum_type(command.type);
  BasicFootprint<Size> bytes;
  if (command.opcode == Opcode::kMatmul) {
    bytes = {extent(command.m, command.k, command.type), extent(command.k, command.n, command.type),
             extent(command.m, command.n, sums), command.accumulate};
  } else if (works_on_rows(command.opcode)) {
    bytes.a = extent(command.m, command.n, command.type);
    bytes.b = extent(command.m, 1, sums);
    bytes.destination = extent(command.m, reduces_rows(command.opcode) ? 1 : command.n, result_type(command));
  } else {
    bytes.a = bytes.b = extent(command.count, 1, command.type);
    bytes.destination = extent(command.count, 1, result_type(command));
  }
  if (!has_a(command)) bytes.a = 0;
  if (!has_b(command)) bytes.b = 0;
  return bytes;
}

}  // namespace podsim::tensor_core
