// Data parallel: every chip has all weights and a batch of its own. Behind the backward pass the gradients are
// all-reduced, in buckets of a few layers' matrices. Naive: when all gradients are there, one bucket after the other.
// Overlapped: each bucket as soon as it is full, under the rest of the backward pass.
#include <fmt/format.h>

#include "firmware/workloads/transformer.h"

namespace podsim::firmware {

namespace {

// Gradients on their way to being reduced.
class Buckets {
 public:
  Buckets(ModuleBuilder& builder, const WorkloadCall& call) : builder_(builder), call_(call) {}

  void add(Value gradient) {
    filling_.push_back(gradient);
    bytes_ += builder_.shape(gradient).bytes();
    if (bytes_ >= call_.bucket) close();
  }
  void close() {
    if (filling_.empty()) return;
    full_.push_back(std::move(filling_));
    filling_.clear();
    bytes_ = 0;
    if (call_.overlapped) reduce();
  }
  // All that is full and has not been reduced yet.
  void reduce() {
    for (; reduced_ < full_.size(); ++reduced_) {
      const std::string name = fmt::format("bucket {}", reduced_);
      Value bucket = full_[reduced_].front();
      if (full_[reduced_].size() > 1) bucket = builder_.concat(name, full_[reduced_]);
      builder_.all_reduce(fmt::format("sum of {}", name), bucket, call_.axes);
      if (!call_.overlapped) builder_.synchronous();
    }
  }

 private:
  ModuleBuilder& builder_;
  const WorkloadCall& call_;
  std::vector<Value> filling_;
  Bytes bytes_ = 0;
  std::vector<std::vector<Value>> full_;
  std::size_t reduced_ = 0;
};

}  // namespace

Module data_parallel(const WorkloadCall& call, const ici::TorusShape& torus) {
  ModuleBuilder b(fmt::format("data_parallel {}", call.model->name), torus);
  const LayerShape shape = layer_shape(call);
  Value x = b.parameter("x", {{shape.tokens, shape.model}, DType::kBf16});
  std::vector<LayerWeights> weights;
  std::vector<LayerResults> results;
  for (std::uint64_t layer = 0; layer < call.layers; ++layer) {
    const std::string name = fmt::format("L{}", layer);
    weights.push_back(weight_parameters(b, name, shape));
    results.push_back(forward(b, name, shape, x, weights.back()));
    x = results.back().out;
  }
  Buckets buckets(b, call);
  for (std::uint64_t layer = call.layers; layer-- > 0;) {
    const LayerGradients gradients = backward(b, fmt::format("L{}", layer), shape, results[layer], x, weights[layer]);
    for (const Value gradient : gradients.weights) buckets.add(gradient);
    x = gradients.in;
  }
  buckets.close();
  buckets.reduce();
  return b.finish();
}

}  // namespace podsim::firmware
