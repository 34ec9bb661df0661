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
