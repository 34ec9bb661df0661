// Register map of a TensorCore: one command, written in one go; the write of its last word is the doorbell. The matrix
// units and the vector unit have a queue each: the write stalls while its unit's is full, commands of a unit run in
// order, and nothing but semaphores puts a product and a vector command in order. Free of SystemC.
#pragma once

#include <array>
#include <bit>
#include <optional>

#include "models/kernel/address_map.h"

namespace podsim::tensor_core {

enum class DType : std::uint8_t { kF32, kBf16, kS32, kS8, kF8 };  // kF8: e4m3, see float8.h
inline constexpr unsigned kDTypes = 5;

constexpr Bytes size_of(DType type) {
  switch (type) {
    case DType::kF32:
    case DType::kS32: return 4;
    case DType::kBf16: return 2;
    case DType::kS8:
    case DType::kF8: return 1;
  }
  return 0;
}

enum class Opcode : std::uint8_t {
  kAdd,     // destination[i] = a[i] + b[i]
  kMax,     // destination[i] = max(a[i], b[i])
  kMin,     // destination[i] = min(a[i], b[i])
  kFill,    // destination[i] = bit pattern in `a` (low size_of(type) bytes)
  kMatmul,  // destination[m][n] (f32, or s32 of s8) = a[m][k] * b[k][n], row-major, dense
  // Vector commands that kernels need; row_math.h has their arithmetic.
  kMultiply,     // destination[i] = a[i] * b[i]
  kConvert,      // destination[i] = a[i] as another type
  kRowMax,       // destination[m] = max over n of a[m][n], and b[m] if there is a b
  kRowSum,       // destination[m] = sum over n of a[m][n], and b[m] if there is a b
  kRowExp,       // destination[m][n] = exp(scale * (a[m][n] - b[m]))
  kRowMultiply,  // destination[m][n] = a[m][n] * b[m]
  kRowDivide,    // destination[m][n] = a[m][n] / b[m]
};

// Commands on m rows of n elements, with one number a row beside them (f32, or s32 of integers).
constexpr bool works_on_rows(Opcode opcode) { return opcode >= Opcode::kRowMax && opcode <= Opcode::kRowDivide; }
// Of these, those whose result is one number a row.
constexpr bool reduces_rows(Opcode opcode) { return opcode == Opcode::kRowMax || opcode == Opcode::kRowSum; }
// What products of a type, and what is reduced over a row of it, are summed in.
constexpr DType sum_type(DType type) { return type == DType::kS8 || type == DType::kS32 ? DType::kS32 : DType::kF32; }

inline constexpr Address kNoOperand = ~Address{0};

// Operands are addresses on this chip (HBM or VMEM). `count` is the number of elements of a vector command.
struct Command {
  Opcode opcode = Opcode::kAdd;
  DType type = DType::kF32;  // of a, and of what else is not said to have another
  Address a = 0;
  Address b = 0;
  Address destination = 0;
  std::uint64_t count = 0;            // vector commands, but for those on rows
  std::uint32_t m = 0, k = 0, n = 0;  // kMatmul, and m and n of commands on rows
  Address semaphore = ~Address{0};    // kAdd register of a semaphore on this chip, told `amount` on completion
  std::uint64_t amount = 1;
  std::optional<DType> result{};  // kConvert, kRowExp, kRowMultiply, kRowDivide: type of the destination, if another
  bool accumulate = false;        // kMatmul: the product is added to the destination
  bool transpose_b = false;       // kMatmul: b is [n][k]
  float scale = 1;                // kRowExp

  [[nodiscard]] std::array<std::uint64_t, 8> words() const {
    const std::uint64_t result_code = result ? static_cast<std::uint64_t>(*result) + 1 : 0;
    return {(static_cast<std::uint64_t>(opcode) | static_cast<std::uint64_t>(type) << 8 | result_code << 16 |
             std::uint64_t{accumulate} << 24 | std::uint64_t{transpose_b} << 25 | std::uint64_t{m} << 32),
            a,
            b,
            destination,
            works_on_rows(opcode) ? std::uint64_t{std::bit_cast<std::uint32_t>(scale)} : count,
            std::uint64_t{k} | std::uint64_t{n} << 32,
            semaphore,
            amount};
  }
  static Command from_words(const std::uint64_t* w) {
    Command command{static_cast<Opcode>(w[0] & 0xff),
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
    if (const auto code = static_cast<std::uint8_t>(w[0] >> 16 & 0xff); code != 0) {
      command.result = static_cast<DType>(code - 1);
    }
    command.accumulate = (w[0] >> 24 & 1) != 0;
    command.transpose_b = (w[0] >> 25 & 1) != 0;
    if (works_on_rows(command.opcode)) {
      command.count = 0;
      command.scale = std::bit_cast<float>(static_cast<std::uint32_t>(w[4]));
    }
    return command;
  }
};

inline constexpr Bytes kCommand = 0;  // offset in the core's register window

// Names the unit that a command written to `address` goes to: two commands with the same one are carried out in order.
constexpr Address unit_address(Address address, const Command& command) {
  return address | (command.opcode == Opcode::kMatmul ? 1u : 0u);
}

}  // namespace podsim::tensor_core
