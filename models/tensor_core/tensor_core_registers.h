// Register map of a TensorCore: one command, written in one go; the write of its last word is the doorbell. The write
// stalls while the command queue is full. Commands run in order. Free of SystemC.
#pragma once

#include <array>

#include "models/kernel/address_map.h"

namespace podsim::tensor_core {

enum class DType : std::uint8_t { kF32, kBf16, kS32, kS8 };

constexpr Bytes size_of(DType type) {
  switch (type) {
    case DType::kF32:
    case DType::kS32: return 4;
    case DType::kBf16: return 2;
    case DType::kS8: return 1;
  }
  return 0;
}

enum class Opcode : std::uint8_t {
  kAdd,     // destination[i] = a[i] + b[i]
  kMax,     // destination[i] = max(a[i], b[i])
  kMin,     // destination[i] = min(a[i], b[i])
  kFill,    // destination[i] = bit pattern in `a` (low size_of(type) bytes)
  kMatmul,  // destination[m][n] (f32, or s32 for s8) = a[m][k] * b[k][n], row-major, dense
};

// Operands are addresses on this chip (HBM or VMEM). `count` is the number of elements of a vector command.
struct Command {
  Opcode opcode = Opcode::kAdd;
  DType type = DType::kF32;
  Address a = 0;
  Address b = 0;
  Address destination = 0;
  std::uint64_t count = 0;            // vector commands
  std::uint32_t m = 0, k = 0, n = 0;  // kMatmul
  Address semaphore = ~Address{0};    // kAdd register of a semaphore on this chip, told `amount` on completion
  std::uint64_t amount = 1;

  [[nodiscard]] std::array<std::uint64_t, 8> words() const {
    return {(static_cast<std::uint64_t>(opcode) | static_cast<std::uint64_t>(type) << 8 | std::uint64_t{m} << 32),
            a,
            b,
            destination,
            count,
            std::uint64_t{k} | std::uint64_t{n} << 32,
            semaphore,
            amount};
  }
  static Command from_words(const std::uint64_t* w) {
    return {static_cast<Opcode>(w[0] & 0xff),
            static_cast<DType>(w[0] >> 8 & 0xff),
            w[1],
            w[2],
            w[3],
            w[4],
            static_cast<std::uint32_t>(w[0] >> 32),
            static_cast<std::uint32_t>(w[5]),
            static_cast<std::uint32_t>(w[5] >> 32),
            w[6],
            w[7]};
  }
};

inline constexpr Bytes kCommand = 0;  // offset in the core's register window

}  // namespace podsim::tensor_core
