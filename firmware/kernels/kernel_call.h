// What a kernel is asked to compute on each chip, each on data of its own in HBM.
//
//   matmul       out[m][n] = a[m][k] b[k][n]
//   elementwise  out[i] = a[i] op b[i]
//   reduce       out[row] = op over the columns of a row
//   softmax      out[row] = exp(row - max) / sum of it
//   attention    out = softmax(q k^T / sqrt(d)) v, for each of several heads
//
// Operands and results lie in HBM tile by tile (tiled_matrix.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/device/buffer.h"

namespace podsim::firmware {

enum class KernelKind : std::uint8_t { kMatmul, kElementwise, kReduce, kSoftmax, kAttention };
[[nodiscard]] std::string_view kernel_name(KernelKind kind);

// How a kernel cuts its work. 0: to be chosen (tile_choice.h).
//   matmul       m x k of a, k x n of b, m x n of the result
//   attention    m queries, n keys
//   others       m rows, n columns (elementwise: n elements)
struct Tiles {
  std::uint64_t m = 0, k = 0, n = 0;
};

struct KernelCall {
  KernelKind kind = KernelKind::kMatmul;
  DType type = DType::kBf16;    // of the operands
  DType result = DType::kBf16;  // of `out`
  // matmul; attention has m queries, n keys and k elements of a head; others have m rows of n columns.
  std::uint64_t m = 1, k = 1, n = 1;
  std::uint64_t heads = 1;                                         // attention
  tensor_core::Opcode operation = tensor_core::Opcode::kMultiply;  // elementwise: kAdd ...; reduce: kRowMax, kRowSum

  Tiles tiles{};
  bool rows_first = true;    // matmul: the tiles of a row of the result one after the other, else those of a column
  unsigned buffers = 2;      // of each operand in VMEM
  unsigned cores = 1;        // TensorCores that share the work
  std::string choice{};      // why the tiles are what they are
  std::string written_at{};  // the line of a run file; empty for programs of C++
};

// "bf16", ...
[[nodiscard]] std::string_view type_name(DType type);

// The type that a result has unless another is asked for: sums of integers are s32, f8 results bf16.
[[nodiscard]] DType default_result(KernelKind kind, DType type);

// Why no kernel can carry out a call, and which part of it is to blame ("m", "dtype", "out", "op", "cores", "buffers");
// nothing if one can.
struct CallFault {
  const char* part;
  std::string text;
};
[[nodiscard]] std::optional<CallFault> check_call(const KernelCall& call);

// What each operand and the result hold, in elements.
[[nodiscard]] std::vector<std::uint64_t> operand_elements(const KernelCall& call);
[[nodiscard]] std::uint64_t input_elements(const KernelCall& call);
[[nodiscard]] std::uint64_t output_elements(const KernelCall& call);
// A kernel's operands.
using Operands = std::vector<Buffer>;
// Those that lie in `in` one behind the other.
[[nodiscard]] Operands operands_in(const KernelCall& call, const Buffer& in);

// Operations that the result stands for: 2mkn of a product, and both products of attention; an operation per element of
// elementwise and reduce; five for each of softmax (compare, subtract, exp, add, divide).
[[nodiscard]] double flops_of(const KernelCall& call);
// "4096 x 4096 x 4096"
[[nodiscard]] std::string shape_text(const KernelCall& call);

}  // namespace podsim::firmware
