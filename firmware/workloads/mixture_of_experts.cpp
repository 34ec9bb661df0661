// Mixture of experts, expert parallel: each chip has its share of the experts. Tokens, each sent to so many experts, go
// to their chips by all-to-all (dispatch), through the experts, and back (combine). Experts are taken to be chosen
// alike, so every chip gets as many tokens as it sends. Overlapped: two halves of the batch, one's all-to-all under the
// other's products.
#include <fmt/format.h>

#include "firmware/workloads/transformer.h"

namespace podsim::firmware {

Module mixture_of_experts(const WorkloadCall& call, const ici::TorusShape& torus) {
  const ModelShape& model = *call.model;
  const std::uint64_t chips = chips_along(call.axes, torus);
  if (model.experts < 2) throw ModuleError(fmt::format("{} has no experts", model.name));
  // Fewer experts than chips: each is cut across as many chips, along its hidden units.
  const std::uint64_t experts = std::max<std::uint64_t>(1, model.experts / chips);
  const std::uint64_t cut = std::max<std::uint64_t>(1, chips / model.experts);
  if (model.experts % chips != 0 && chips % model.experts != 0) {
    throw ModuleError(fmt::format("{} experts on {} chips", model.experts, chips));
  }
  ModuleBuilder b(fmt::format("mixture_of_experts {}", model.name), torus);
  const std::uint64_t streams = call.overlapped ? 2 : 1;
  const std::uint64_t copies = call.tokens / streams * model.chosen * cut;  // of tokens, that go out
  if (call.tokens % streams != 0 || copies % chips != 0) {
    throw ModuleError(fmt::format("{} tokens can't be spread evenly over {} chips", call.tokens, chips));
  }
  LayerShape shape = layer_shape({.model = call.model, .tokens = call.tokens, .sequence = call.sequence});
  shape.hidden = model.hidden / cut;
  Value x = b.parameter("x", {{call.tokens, model.model}, DType::kBf16});
  for (std::uint64_t layer = 0; layer < call.layers; ++layer) {
    const auto name = [&](const std::string& what) { return fmt::format("L{} {}", layer, what); };
    const LayerWeights weights = weight_parameters(b, name("attention"), shape);
    const Value middle = b.elementwise(name("middle"), tensor_core::Opcode::kAdd, x,
                                       attention_half(b, name("attention"), shape, x, weights));
    std::vector<LayerWeights> own;
    for (std::uint64_t e = 0; e < experts; ++e) {
      own.push_back(weight_parameters(b, name(fmt::format("expert {}", e)), shape));
    }
    const auto transferred = [&](Value value) {
      if (!call.overlapped) b.synchronous();
      return value;
    };
    std::vector<Value> sent, back, combined;
    for (std::uint64_t i = 0; i < streams; ++i) {
      // A copy of each token for each expert that it goes to (of an expert that is cut, for each part).
      const std::vector<Value> each(model.chosen * cut, b.slice(middle, i, streams));
      const Value routed =
          b.reshape(b.concat(name(fmt::format("routed {}", i)), each), {{copies, model.model}, DType::kBf16});
      b.synchronous();
      sent.push_back(transferred(b.all_to_all(name(fmt::format("dispatch {}", i)), routed, 0, 0, call.axes)));
    }
    for (std::uint64_t i = 0; i < streams; ++i) {
      std::vector<Value> fed;
      for (std::uint64_t e = 0; e < experts; ++e) {
        const std::string expert = name(fmt::format("expert {}.{}", e, i));
        fed.push_back(feed_forward_half(b, expert, b.slice(sent[i], e, experts), own[e]));
      }
      Value all = fed.front();
      if (experts > 1) {
        all = b.reshape(b.concat(name(fmt::format("fed {}", i)), fed), {{copies, model.model}, DType::kBf16});
        b.synchronous();
      }
      back.push_back(transferred(b.all_to_all(name(fmt::format("combine {}", i)), all, 0, 0, call.axes)));
    }
    for (std::uint64_t i = 0; i < streams; ++i) {
      // What a token's experts made of it is added up.
      Value sum = b.slice(back[i], 0, model.chosen * cut);
      for (std::uint64_t c = 1; c < model.chosen * cut; ++c) {
        sum = b.elementwise(name(fmt::format("sum {}.{}", i, c)), tensor_core::Opcode::kAdd, sum,
                            b.slice(back[i], c, model.chosen * cut));
      }
      combined.push_back(
          b.elementwise(name(fmt::format("out {}", i)), tensor_core::Opcode::kAdd, b.slice(middle, i, streams), sum));
    }
    x = combined.front();
    if (streams > 1) {
      x = b.reshape(b.concat(name("out"), combined), {{call.tokens, model.model}, DType::kBf16});
      b.synchronous();
    }
  }
  return b.finish();
}

}  // namespace podsim::firmware
