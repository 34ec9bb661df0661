// Activation offload: what the backward pass needs of a layer goes to the host's memory behind the layer's forward
// pass, and comes back before its backward pass; meanwhile its HBM is free. Naive: the program waits for every copy.
// Overlapped: a layer's activations go out under the next layer, and come back under the backward pass of the one
// before.
#include <fmt/format.h>

#include "firmware/workloads/transformer.h"

namespace podsim::firmware {

namespace {

// What a layer's backward pass reads.
constexpr Value LayerResults::*kKept[] = {&LayerResults::in,       &LayerResults::q,        &LayerResults::k,
                                          &LayerResults::v,        &LayerResults::attended, &LayerResults::middle,
                                          &LayerResults::activated};

}  // namespace

Module activation_offload(const WorkloadCall& call, const ici::TorusShape& torus) {
  ModuleBuilder b(fmt::format("activation_offload {}", call.model->name), torus);
  const LayerShape shape = layer_shape(call);
  Value x = b.parameter("x", {{shape.tokens, shape.model}, DType::kBf16});
  std::vector<LayerWeights> weights;
  std::vector<LayerResults> results, on_host;
  const auto transferred = [&](Value value) {
    if (!call.overlapped) b.synchronous();
    return value;
  };
  // Copies of one value need one transfer, however many shapes it is read in.
  for (std::uint64_t layer = 0; layer < call.layers; ++layer) {
    const std::string name = fmt::format("L{}", layer);
    weights.push_back(weight_parameters(b, name, shape));
    results.push_back(forward(b, name, shape, x, weights.back()));
    x = results.back().out;
    on_host.push_back(results.back());
    if (layer + 1 == call.layers) break;  // the last layer's are needed at once
    for (unsigned i = 0; i < std::size(kKept); ++i) {
      Value& kept = on_host.back().*kKept[i];
      kept = transferred(b.host_out(fmt::format("{} out {}", name, i), kept));
    }
  }
  std::vector<LayerResults> here(call.layers);
  const auto fetch = [&](std::uint64_t layer) {
    here[layer] = on_host[layer];
    if (layer + 1 == call.layers) return;
    for (unsigned i = 0; i < std::size(kKept); ++i) {
      Value& kept = here[layer].*kKept[i];
      kept = transferred(b.host_in(fmt::format("L{} in {}", layer, i), kept));
    }
  };
  fetch(call.layers - 1);
  for (std::uint64_t layer = call.layers; layer-- > 0;) {
    if (layer > 0 && call.overlapped) fetch(layer - 1);
    x = backward(b, fmt::format("L{}", layer), shape, here[layer], x, weights[layer]).in;
    if (layer > 0 && !call.overlapped) fetch(layer - 1);
  }
  return b.finish();
}

}  // namespace podsim::firmware
