// Fully sharded data parallel: each chip has a shard of every matrix. A layer's matrices are gathered before it, in the
// forward and again in the backward pass, and gradients are reduce-scattered behind it. Naive: each matrix is gathered
// right before its product. Overlapped: all transfers may start early and be waited for late, which the scheduler makes
// use of.
#include <fmt/format.h>

#include "firmware/workloads/transformer.h"

namespace podsim::firmware {

namespace {

class Fsdp {
 public:
  Fsdp(const WorkloadCall& call, const ici::TorusShape& torus)
      : call_(call), chips_(chips_along(call.axes, torus)), b_(fmt::format("fsdp {}", call.model->name), torus) {}

  Module build() {
    const LayerShape shape = layer_shape(call_);
    Value x = b_.parameter("x", {{shape.tokens, shape.model}, DType::kBf16});
    std::vector<LayerResults> results;
    for (std::uint64_t layer = 0; layer < call_.layers; ++layer) {
      shards_.push_back(shards_of(name(layer), shape));
      results.push_back(forward(b_, name(layer), shape, x, gathered(layer, "")));
      x = results.back().out;
    }
    for (std::uint64_t layer = call_.layers; layer-- > 0;) {
      const LayerGradients gradients = backward(b_, name(layer), shape, results[layer], x, gathered(layer, " again"));
      for (std::size_t i = 0; i < gradients.weights.size(); ++i) {
        b_.reduce_scatter(fmt::format("{} gradient {}", name(layer), i), gradients.weights[i], 0, call_.axes);
        if (!call_.overlapped) b_.synchronous();
      }
      x = gradients.in;
    }
    return b_.finish();
  }

 private:
  static std::string name(std::uint64_t layer) { return fmt::format("L{}", layer); }

  // Cut along the first dimension, so that what is gathered lies in order.
  [[nodiscard]] LayerWeights shards_of(const std::string& layer, const LayerShape& s) {
    const auto shard = [&](const char* what, std::uint64_t rows, std::uint64_t columns) {
      if (rows % chips_ != 0)
        throw ModuleError(fmt::format("{} {}: {} rows can't be cut into {} shards", layer, what, rows, chips_));
      return b_.parameter(fmt::format("{} {} shard", layer, what), {{rows / chips_, columns}, DType::kBf16});
    };
    return {shard("wq", s.model, s.heads * s.head),    shard("wk", s.model, s.kv_heads * s.head),
            shard("wv", s.model, s.kv_heads * s.head), shard("wo", s.heads * s.head, s.model),
            shard("w gate", s.model, s.hidden),        shard("w up", s.model, s.hidden),
            shard("w down", s.hidden, s.model)};
  }

  [[nodiscard]] LayerWeights gathered(std::uint64_t layer, const char* again) {
    const LayerWeights& shards = shards_[layer];
    const auto whole = [&](const char* what, Value shard) {
      const Value gathered = b_.all_gather(fmt::format("{} {}{}", name(layer), what, again), shard, 0, call_.axes);
      if (!call_.overlapped) b_.synchronous();
      return gathered;
    };
    return {whole("wq", shards.q),        whole("wk", shards.k),    whole("wv", shards.v),       whole("wo", shards.o),
            whole("w gate", shards.gate), whole("w up", shards.up), whole("w down", shards.down)};
  }

  const WorkloadCall& call_;
  const std::uint64_t chips_;
  ModuleBuilder b_;
  std::vector<LayerWeights> shards_;
};

}  // namespace

Module fsdp(const WorkloadCall& call, const ici::TorusShape& torus) { return Fsdp(call, torus).build(); }

}  // namespace podsim::firmware
