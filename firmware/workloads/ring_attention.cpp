// Ring attention (Liu et al., "Ring Attention with Blockwise Transformers for Near-Infinite Context", 2023): a sequence
// is sharded over the chips of an axis. Keys and values go round the ring; each chip attends to what it has, and adds
// up. Naive: the next shard is fetched when this one is done with. Overlapped: while it is being attended to.
//
// The rescaling of partial results is left out: adding them up is what is played.
#include <fmt/format.h>

#include "firmware/workloads/transformer.h"

namespace podsim::firmware {

Module ring_attention(const WorkloadCall& call, const ici::TorusShape& torus) {
  const ici::Axis axis = only_axis("ring_attention", call, torus);
  const std::uint64_t chips = torus.axis(axis).size;
  ModuleBuilder b(fmt::format("ring_attention {}", call.model->name), torus);
  const LayerShape s = layer_shape({.model = call.model, .tokens = call.tokens});
  Value x = b.parameter("x", {{s.tokens, s.model}, DType::kBf16});
  for (std::uint64_t layer = 0; layer < call.layers; ++layer) {
    const auto name = [&](const std::string& what) { return fmt::format("L{} {}", layer, what); };
    const LayerWeights w = weight_parameters(b, name("w"), s);
    const TensorShape queries{{s.kv_heads, s.heads / s.kv_heads * s.tokens, s.head}, DType::kBf16};
    const TensorShape keys{{s.kv_heads, s.tokens, s.head}, DType::kBf16};
    const Value q = b.reshape(b.matmul(name("q"), x, w.q), queries);
    Value k = b.reshape(b.matmul(name("k"), x, w.k), keys);
    Value v = b.reshape(b.matmul(name("v"), x, w.v), keys);
    Value sum{};
    for (std::uint64_t step = 0; step < chips; ++step) {
      const auto at = [&](const char* what) { return name(fmt::format("{} {}", what, step)); };
      const auto fetch = [&] {
        k = b.permute(at("next k"), k, axis, 1);
        if (!call.overlapped) b.synchronous();
        v = b.permute(at("next v"), v, axis, 1);
        if (!call.overlapped) b.synchronous();
      };
      const Value keys_here = k, values_here = v;
      const bool last = step + 1 == chips;
      if (!last && call.overlapped) fetch();
      const Value part = b.attention(at("attention"), q, keys_here, values_here);
      sum = step == 0 ? part : b.elementwise(at("added"), tensor_core::Opcode::kAdd, sum, part);
      if (!last && !call.overlapped) fetch();
    }
    const Value o = b.matmul(name("o"), b.reshape(sum, {{s.tokens, s.heads * s.head}, DType::kBf16}), w.o);
    const Value middle = b.elementwise(name("middle"), tensor_core::Opcode::kAdd, x, o);
    x = b.elementwise(name("out"), tensor_core::Opcode::kAdd, middle, feed_forward_half(b, name("feed"), middle, w));
  }
  return b.finish();
}

}  // namespace podsim::firmware
