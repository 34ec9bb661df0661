// A pipeline (Huang et al., "GPipe", 2019) as one program for all chips: the chips of an axis are stages, each with its
// share of the layers. In every turn each stage runs a microbatch through its layers and passes it on to the next; with
// m microbatches and s stages there are m + s - 1 turns, of which each stage wastes s - 1 (it computes on what is not
// there yet, as such programs do). Naive: a stage waits while its result travels. Overlapped: microbatches go in pairs,
// one travels while the other is computed.
#include <fmt/format.h>

#include "firmware/workloads/transformer.h"

namespace podsim::firmware {

Module pipeline(const WorkloadCall& call, const ici::TorusShape& torus) {
  const ici::Axis axis = only_axis("pipeline", call, torus);
  const std::uint64_t stages = torus.axis(axis).size;
  constexpr std::uint64_t kMicrobatches = 8;
  if (call.tokens % (2 * kMicrobatches) != 0) {
    throw ModuleError(fmt::format("{} tokens can't be cut into {} microbatches", call.tokens, 2 * kMicrobatches));
  }
  ModuleBuilder b(fmt::format("pipeline {}", call.model->name), torus);
  const std::uint64_t streams = call.overlapped ? 2 : 1;
  const LayerShape shape = layer_shape({.model = call.model, .tokens = call.tokens / kMicrobatches / streams});
  std::vector<LayerWeights> weights;
  for (std::uint64_t layer = 0; layer < call.layers; ++layer) {
    weights.push_back(weight_parameters(b, fmt::format("layer {}", layer), shape));
  }
  std::vector<Value> x;
  for (std::uint64_t i = 0; i < streams; ++i) {
    x.push_back(b.parameter(fmt::format("x{}", i), {{shape.tokens, shape.model}, DType::kBf16}));
  }
  for (std::uint64_t turn = 0; turn < kMicrobatches + stages - 1; ++turn) {
    for (std::uint64_t i = 0; i < streams; ++i) {
      const std::string name = fmt::format("T{}{}", turn, streams == 1 ? "" : i == 0 ? "a" : "b");
      for (std::uint64_t layer = 0; layer < call.layers; ++layer) {
        x[i] = forward(b, fmt::format("{} L{}", name, layer), shape, x[i], weights[layer]).out;
      }
      x[i] = b.permute(name + " passed on", x[i], axis, 1);
      if (!call.overlapped) b.synchronous();
    }
  }
  return b.finish();
}

}  // namespace podsim::firmware
