// Collective matmul (Wang et al., "Overlap Communication with Dependent Computation via Decomposition", ASPLOS 2023): a
// feed-forward layer whose tokens are sharded over the chips of an axis, as its hidden units are. Naive: the tokens are
// gathered, multiplied, multiplied back and reduce-scattered. Overlapped: a shard of tokens at a time goes round the
// ring, each under the product of the one before; on the way back partial sums go round likewise, each chip adding its
// own.
#include <fmt/format.h>

#include "firmware/workloads/transformer.h"

namespace podsim::firmware {

Module collective_matmul(const WorkloadCall& call, const ici::TorusShape& torus) {
  ModuleBuilder b(fmt::format("collective_matmul {}", call.model->name), torus);
  const ici::Axis axis = only_axis("collective_matmul", call, torus);
  const std::uint64_t chips = torus.axis(axis).size;
  const std::uint64_t hidden = layer_shape(call, chips).hidden;
  const TensorShape shard{{call.tokens, call.model->model}, DType::kBf16};
  for (std::uint64_t layer = 0; layer < call.layers; ++layer) {
    const auto name = [&](const std::string& what) { return fmt::format("L{} {}", layer, what); };
    const Value x = b.parameter(name("x"), shard);
    const Value up = b.parameter(name("w up"), {{call.model->model, hidden}, DType::kBf16});
    const Value down = b.parameter(name("w down"), {{hidden, call.model->model}, DType::kBf16});
    if (!call.overlapped) {
      const Value whole = b.all_gather(name("tokens"), x, 0, {axis});
      b.synchronous();
      const Value product = b.matmul(name("down"), b.matmul(name("up"), whole, up), down);
      b.reduce_scatter(name("sum"), product, 0, {axis});
      b.synchronous();
      continue;
    }
    std::vector<Value> products;
    Value tokens = x;
    for (std::uint64_t step = 0; step < chips; ++step) {
      const Value here = tokens;
      if (step + 1 < chips) tokens = b.permute(name(fmt::format("tokens {}", step + 1)), here, axis, 1);
      products.push_back(b.matmul(name(fmt::format("up {}", step)), here, up));
    }
    // The shard that this chip had last goes on first: it ends where it began.
    Value sum = b.matmul(name("down 0"), products.back(), down);
    for (std::uint64_t step = 1; step < chips; ++step) {
      const Value passed = b.permute(name(fmt::format("sum {}", step)), sum, axis, 1);
      const Value own = b.matmul(name(fmt::format("down {}", step)), products[(chips - 1 + step) % chips], down);
      sum = b.elementwise(name(fmt::format("added {}", step)), tensor_core::Opcode::kAdd, passed, own);
    }
  }
  return b.finish();
}

}  // namespace podsim::firmware
