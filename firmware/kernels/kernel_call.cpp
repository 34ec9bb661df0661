#include "firmware/kernels/kernel_call.h"

#include <fmt/format.h>

#include <numeric>

namespace podsim::firmware {

std::string_view kernel_name(KernelKind kind) {
  switch (kind) {
    case KernelKind::kMatmul: return "matmul";
    case KernelKind::kElementwise: return "elementwise";
    case KernelKind::kReduce: return "reduce";
    case KernelKind::kSoftmax: return "softmax";
    case KernelKind::kAttention: return "attention";
  }
  return "?";
}

std::string_view type_name(DType type) {
  constexpr std::string_view kNames[] = {"f32", "bf16", "s32", "s8", "f8"};  // in the order of DType
  return kNames[static_cast<std::size_t>(type)];
}

DType default_result(KernelKind kind, DType type) {
  switch (kind) {
    case KernelKind::kElementwise: return type;
    case KernelKind::kReduce: return tensor_core::sum_type(type);
    case KernelKind::kMatmul:
      if (type == DType::kS8) return DType::kS32;
      [[fallthrough]];
    case KernelKind::kSoftmax:
    case KernelKind::kAttention: return type == DType::kF8 ? DType::kBf16 : type;
  }
  return type;
}

namespace {

bool is_integer(DType type) { return tensor_core::sum_type(type) == DType::kS32; }

// Whether a * b * c elements of any type have room in a chip's memory, whatever its size.
bool addressable(std::uint64_t a, std::uint64_t b, std::uint64_t c = 1) {
  constexpr Wide kMost = kOffsetMask / 4;
  const Wide two = Wide{a} * b;
  return two <= kMost && two * c <= kMost;
}

bool has_operation(const KernelCall& call) {
  using tensor_core::Opcode;
  const Opcode op = call.operation;
  if (call.kind == KernelKind::kReduce) return op == Opcode::kRowMax || op == Opcode::kRowSum;
  if (call.kind != KernelKind::kElementwise) return true;
  return op == Opcode::kAdd || op == Opcode::kMultiply || op == Opcode::kMax || op == Opcode::kMin;
}

}  // namespace

std::optional<CallFault> check_call(const KernelCall& call) {
  const std::string_view kind = kernel_name(call.kind);
  const bool fixed_result = call.kind == KernelKind::kElementwise || call.kind == KernelKind::kReduce;
  if (call.m == 0 || call.k == 0 || call.n == 0 || call.heads == 0) {
    return CallFault{call.m == 0   ? "m"
                     : call.k == 0 ? "k"
                     : call.n == 0 ? "n"
                                   : "heads",
                     fmt::format("a {} of nothing: an extent is 0", kind)};
  }
  if (!addressable(call.heads, call.m, call.k) || !addressable(call.heads, call.n, call.k) ||
      !addressable(call.m, call.n)) {
    return CallFault{"m", fmt::format("a {} of more elements than a chip's memory could hold", kind)};
  }
  if (call.cores == 0) return CallFault{"cores", "no TensorCore to run on"};
  if (call.buffers < 2)
    return CallFault{"buffers", "a kernel needs two buffers of each operand: one is filled meanwhile"};
  if (call.kind == KernelKind::kElementwise && call.m != 1) {
    return CallFault{"m", "elementwise has one row of n elements"};
  }
  if (!has_operation(call)) return CallFault{"op", fmt::format("{} has no such operation", kind)};
  if (call.kind == KernelKind::kMatmul && call.type == DType::kS32) {
    return CallFault{"dtype", "the matrix units don't multiply s32"};
  }
  if ((call.kind == KernelKind::kSoftmax || call.kind == KernelKind::kAttention) && is_integer(call.type)) {
    return CallFault{"dtype", fmt::format("{} has no meaning for integers", kind)};
  }
  if (is_integer(call.type) != is_integer(call.result)) {
    return CallFault{"out", "integers give integers, and others don't"};
  }
  const DType only = default_result(call.kind, call.type);
  if (fixed_result && call.result != only) {
    return CallFault{"out", fmt::format("{} of {} gives {}", kind, type_name(call.type), type_name(only))};
  }
  return std::nullopt;
}

std::vector<std::uint64_t> operand_elements(const KernelCall& call) {
  switch (call.kind) {
    case KernelKind::kMatmul: return {call.m * call.k, call.k * call.n};
    case KernelKind::kElementwise: return {call.m * call.n, call.m * call.n};
    case KernelKind::kReduce:
    case KernelKind::kSoftmax: return {call.m * call.n};
    case KernelKind::kAttention:
      return {call.heads * call.m * call.k, call.heads * call.n * call.k, call.heads * call.n * call.k};
  }
  return {};
}

std::uint64_t input_elements(const KernelCall& call) {
  const auto each = operand_elements(call);
  return std::accumulate(each.begin(), each.end(), std::uint64_t{0});
}

std::uint64_t output_elements(const KernelCall& call) {
  switch (call.kind) {
    case KernelKind::kMatmul:
    case KernelKind::kElementwise:
    case KernelKind::kSoftmax: return call.m * call.n;
    case KernelKind::kReduce: return call.m;
    case KernelKind::kAttention: return call.heads * call.m * call.k;
  }
  return 0;
}

Operands operands_in(const KernelCall& call, const Buffer& in) {
  Operands operands;
  std::uint64_t first = 0;
  for (const std::uint64_t elements : operand_elements(call)) {
    operands.push_back(in.slice({first, first + elements}));
    first += elements;
  }
  return operands;
}

double flops_of(const KernelCall& call) {
  const double m = static_cast<double>(call.m), k = static_cast<double>(call.k), n = static_cast<double>(call.n);
  switch (call.kind) {
    case KernelKind::kMatmul: return 2 * m * k * n;
    case KernelKind::kElementwise:
    case KernelKind::kReduce: return m * n;
    case KernelKind::kSoftmax: return 5 * m * n;
    case KernelKind::kAttention: return 4 * m * k * n * static_cast<double>(call.heads);
  }
  return 0;
}

std::string shape_text(const KernelCall& call) {
  switch (call.kind) {
    case KernelKind::kMatmul: return fmt::format("{} x {} x {}", call.m, call.k, call.n);
    case KernelKind::kElementwise: return fmt::format("{}", call.m * call.n);
    case KernelKind::kReduce:
    case KernelKind::kSoftmax: return fmt::format("{} x {}", call.m, call.n);
    case KernelKind::kAttention:
      return fmt::format("{} heads of {}, {} queries, {} keys", call.heads, call.k, call.m, call.n);
  }
  return {};
}

}  // namespace podsim::firmware
