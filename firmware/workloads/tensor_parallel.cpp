// Tensor parallel: heads and hidden units are cut across the chips, which all have the same tokens. Each half of a
// layer ends in a partial sum, which is all-reduced. Overlapped: the batch goes through in two halves, one's all-reduce
// under the other's products.
#include <fmt/format.h>

#include "firmware/workloads/transformer.h"

namespace podsim::firmware {

Module tensor_parallel(const WorkloadCall& call, const ici::TorusShape& torus) {
  ModuleBuilder b(fmt::format("tensor_parallel {}", call.model->name), torus);
  const std::uint64_t streams = call.overlapped ? 2 : 1;
  LayerShape shape = layer_shape(call, chips_along(call.axes, torus));
  if (shape.tokens % streams != 0) throw ModuleError(fmt::format("{} tokens can't be halved", shape.tokens));
  shape.tokens /= streams;
  if (shape.tokens % shape.sequence != 0) shape.sequence = shape.tokens;

  const auto name = [&](std::uint64_t layer, std::uint64_t stream) {
    return streams == 1 ? fmt::format("L{}", layer) : fmt::format("L{}.{}", layer, stream);
  };
  std::vector<Value> x;
  for (std::uint64_t i = 0; i < streams; ++i) {
    x.push_back(b.parameter(fmt::format("x{}", i), {{shape.tokens, shape.model}, DType::kBf16}));
  }
  const auto summed = [&](const std::string& what, Value partial) {
    const Value sum = b.all_reduce(what, partial, call.axes);
    if (!call.overlapped) b.synchronous();
    return sum;
  };
  for (std::uint64_t layer = 0; layer < call.layers; ++layer) {
    const LayerWeights weights = weight_parameters(b, fmt::format("L{}", layer), shape);
    // Half by half, so that as written one stream's sum is under way while the other computes.
    std::vector<Value> sums(streams), middle(streams);
    for (std::uint64_t i = 0; i < streams; ++i) {
      sums[i] = summed(name(layer, i) + " attention sum", attention_half(b, name(layer, i), shape, x[i], weights));
    }
    for (std::uint64_t i = 0; i < streams; ++i) {
      middle[i] = b.elementwise(name(layer, i) + " middle", tensor_core::Opcode::kAdd, x[i], sums[i]);
      sums[i] = summed(name(layer, i) + " feed sum", feed_forward_half(b, name(layer, i), middle[i], weights));
    }
    for (std::uint64_t i = 0; i < streams; ++i) {
      x[i] = b.elementwise(name(layer, i) + " out", tensor_core::Opcode::kAdd, middle[i], sums[i]);
    }
  }
  return b.finish();
}

}  // namespace podsim::firmware
