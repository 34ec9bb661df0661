// Commands of a TensorCore, made of buffers: what Device::start() is given. Sizes must fit: Device::start() has no way
// to tell.
#pragma once

#include "firmware/device/buffer.h"

namespace podsim::firmware {

using tensor_core::Command;
using tensor_core::Opcode;

struct MatmulShape {
  std::uint64_t m = 0, k = 0, n = 0;
};

// destination[m][n] = a[m][k] b[k][n], or with `transpose_b` b[n][k]; `accumulate` adds it to what is there.
struct MatmulOptions {
  bool accumulate = false;
  bool transpose_b = false;
};
inline Command matmul_command(const Buffer& a, const Buffer& b, const Buffer& destination, const MatmulShape& shape,
                              const MatmulOptions& options = {}) {
  Command command{.opcode = Opcode::kMatmul, .type = a.type, .a = a.address, .b = b.address};
  command.destination = destination.address;
  command.m = static_cast<std::uint32_t>(shape.m);
  command.k = static_cast<std::uint32_t>(shape.k);
  command.n = static_cast<std::uint32_t>(shape.n);
  command.accumulate = options.accumulate;
  command.transpose_b = options.transpose_b;
  return command;
}

// destination[i] = a[i] op b[i]
inline Command elementwise_command(Opcode op, const Buffer& a, const Buffer& b, const Buffer& destination) {
  return {.opcode = op,
          .type = a.type,
          .a = a.address,
          .b = b.address,
          .destination = destination.address,
          .count = destination.elements};
}

// destination[i] = a[i], in the destination's type
inline Command convert_command(const Buffer& a, const Buffer& destination) {
  Command command{.opcode = Opcode::kConvert, .type = a.type, .a = a.address};
  command.destination = destination.address;
  command.count = destination.elements;
  command.result = destination.type;
  return command;
}

// A command on the rows of a, which has `columns`; b and, of reductions, the destination have one number a row. Without
// elements, b is left out.
inline Command rows_command(Opcode op, const Buffer& a, std::uint64_t columns, const Buffer& b,
                            const Buffer& destination, float scale = 1) {
  Command command{.opcode = op, .type = a.type, .a = a.address};
  command.b = b.elements > 0 ? b.address : tensor_core::kNoOperand;
  command.destination = destination.address;
  command.m = static_cast<std::uint32_t>(columns == 0 ? 0 : a.elements / columns);
  command.n = static_cast<std::uint32_t>(columns);
  command.result = destination.type;
  command.scale = scale;
  return command;
}

}  // namespace podsim::firmware
