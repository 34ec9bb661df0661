#include "firmware/kernels/kernel.h"

#include <fmt/format.h>

#include "firmware/device/errors.h"
#include "firmware/kernels/attention.h"
#include "firmware/kernels/matmul.h"
#include "firmware/kernels/vector_kernels.h"

namespace podsim::firmware {

Task run_kernel(Device& chip, KernelCall call, Operands in, Buffer out) {
  if (const auto fault = check_call(call)) {
    throw ProgramError(fmt::format("{}{}{}", call.written_at, call.written_at.empty() ? "" : ": ", fault->text));
  }
  switch (call.kind) {
    case KernelKind::kMatmul: return run_matmul(chip, std::move(call), std::move(in), out);
    case KernelKind::kAttention: return run_attention(chip, std::move(call), std::move(in), out);
    case KernelKind::kElementwise:
    case KernelKind::kReduce:
    case KernelKind::kSoftmax: break;
  }
  return run_vector_kernel(chip, std::move(call), std::move(in), out);
}

std::vector<TiledMatrix> kernel_operands(const KernelCall& call, const Operands& in) {
  if (call.kind == KernelKind::kMatmul) {
    const MatmulOperands operands = matmul_operands(call, in, {});
    return {operands.a, operands.b};
  }
  std::vector<TiledMatrix> operands;
  const bool attention = call.kind == KernelKind::kAttention;
  const std::uint64_t columns = attention ? call.k : call.n;
  for (unsigned i = 0; i < operand_elements(call).size(); ++i) {
    const Buffer data = in[i];
    operands.push_back({data, data.elements / columns, columns, call.tiles.m, attention ? columns : call.tiles.n});
  }
  return operands;
}

TiledMatrix kernel_result(const KernelCall& call, const Buffer& out) {
  if (call.kind == KernelKind::kMatmul) return matmul_operands(call, Operands(2), out).out;
  switch (call.kind) {
    case KernelKind::kReduce: return {out, call.m, 1, call.tiles.m, 1};
    case KernelKind::kAttention: return {out, call.heads * call.m, call.k, call.tiles.m, call.k};
    default: return {out, call.m, call.n, call.tiles.m, call.tiles.n};
  }
}

DelayAwaitable launch_delay(Device& chip) { return chip.delay(chip.allocate().resources().figures.core.launch); }

void start_split_copy(Device& chip, const Buffer& src, const Buffer& dst, DmaSemaphore done, Where where) {
  // An engine has a few bursts of a descriptor under way, which over memory's latency is less than HBM's bandwidth.
  constexpr Bytes kPart = 512 * kKiB;
  constexpr std::uint64_t kMostParts = 4;
  const std::uint64_t parts = std::min(kMostParts, std::max<std::uint64_t>(1, src.bytes() / kPart));
  for (std::uint64_t i = 0; i < parts; ++i) chip.start_copy(src.shard(i, parts), dst.shard(i, parts), done, where);
}

}  // namespace podsim::firmware
