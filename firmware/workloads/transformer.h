// The layers that workloads are made of: a gated transformer layer with grouped-query attention, forward and backward,
// in the shapes of one chip. Weights and what is done about them are the workload's affair.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "firmware/workloads/workload.h"

namespace podsim::firmware {

// Of the part of a layer that a chip computes: heads and hidden units may be a share of the model's.
struct LayerShape {
  std::uint64_t tokens = 0, sequence = 0;
  std::uint64_t model = 0, hidden = 0, heads = 0, kv_heads = 0, head = 128;
};
// `parts`: chips that heads and hidden units are cut across. Throws ModuleError where they can't be.
[[nodiscard]] LayerShape layer_shape(const WorkloadCall& call, std::uint64_t parts = 1);

// A layer's matrices.
struct LayerWeights {
  Value q, k, v, o, gate, up, down;
};
[[nodiscard]] LayerWeights weight_parameters(ModuleBuilder& b, const std::string& layer, const LayerShape& shape);

// What the backward pass needs of the forward pass.
struct LayerResults {
  Value in;         // [tokens, model]
  Value q, k, v;    // [sequences x heads of keys, tokens, head]
  Value attended;   // [tokens, heads x head]
  Value middle;     // [tokens, model]: behind attention
  Value activated;  // [tokens, hidden]
  Value out;        // [tokens, model]
};

// The two halves of a layer, before they are added to the residual stream: partial sums where a layer is cut across
// chips. They fill in their part of `results`.
[[nodiscard]] Value attention_half(ModuleBuilder& b, const std::string& layer, const LayerShape& shape, Value in,
                                   const LayerWeights& weights, LayerResults* results = nullptr);
[[nodiscard]] Value feed_forward_half(ModuleBuilder& b, const std::string& layer, Value in, const LayerWeights& weights,
                                      LayerResults* results = nullptr);
[[nodiscard]] LayerResults forward(ModuleBuilder& b, const std::string& layer, const LayerShape& shape, Value in,
                                   const LayerWeights& weights);

// Gradients of the weights, last ones first as they come, and of what came in.
struct LayerGradients {
  std::vector<Value> weights;
  Value in;
};
[[nodiscard]] LayerGradients backward(ModuleBuilder& b, const std::string& layer, const LayerShape& shape,
                                      const LayerResults& forward, Value out, const LayerWeights& weights);

// The one axis that a workload goes along: the one asked for, or the pod's first. Throws ModuleError, naming the
// workload, where several are asked for and where the pod is one of listed links, which has none.
[[nodiscard]] ici::Axis only_axis(const char* workload, const WorkloadCall& call, const ici::TorusShape& torus);
// Chips along axes; all of the pod's if there are none.
[[nodiscard]] std::uint64_t chips_along(const std::vector<ici::Axis>& axes, const ici::TorusShape& torus);

}  // namespace podsim::firmware
