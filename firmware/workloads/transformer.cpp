#include "firmware/workloads/transformer.h"

#include <fmt/format.h>

namespace podsim::firmware {

using tensor_core::Opcode;

std::uint64_t chips_along(const std::vector<ici::Axis>& axes, const ici::TorusShape& torus) {
  if (axes.empty()) return torus.chips();
  std::uint64_t chips = 1;
  for (const ici::Axis axis : axes) chips *= torus.axis(axis).size;
  return chips;
}

ici::Axis only_axis(const char* workload, const WorkloadCall& call, const ici::TorusShape& torus) {
  if (call.axes.size() > 1)
    throw ModuleError(fmt::format("{} goes along one axis only, got {}", workload, call.axes.size()));
  if (torus.axes() == 0 || torus.listed_links() != nullptr) {
    throw ModuleError(fmt::format("{} goes along an axis: it needs a mesh or a torus, not listed links", workload));
  }
  return call.axes.empty() ? static_cast<ici::Axis>(0) : call.axes.front();
}

LayerShape layer_shape(const WorkloadCall& call, std::uint64_t parts) {
  const ModelShape& model = *call.model;
  const auto part = [&](std::uint64_t whole, const char* what) {
    if (whole % parts != 0)
      throw ModuleError(fmt::format("{}: {} {} can't be cut into {} equal parts", model.name, whole, what, parts));
    return whole / parts;
  };
  LayerShape shape;
  shape.tokens = call.tokens;
  shape.sequence = call.sequence == 0 ? call.tokens : call.sequence;
  if (shape.sequence == 0 || shape.tokens % shape.sequence != 0) {
    throw ModuleError(fmt::format("{} tokens are no whole number of sequences of {}", shape.tokens, shape.sequence));
  }
  shape.model = model.model;
  shape.hidden = part(model.hidden, "hidden units");
  shape.heads = part(model.heads, "heads");
  // Fewer heads of keys than parts: each part has a copy of its own.
  shape.kv_heads = model.kv_heads % parts == 0 ? model.kv_heads / parts : 1;
  shape.head = model.head;
  return shape;
}

LayerWeights weight_parameters(ModuleBuilder& b, const std::string& layer, const LayerShape& s) {
  const auto weight = [&](const char* name, std::uint64_t rows, std::uint64_t columns) {
    return b.parameter(fmt::format("{} {}", layer, name), {{rows, columns}, DType::kBf16});
  };
  return {weight("wq", s.model, s.heads * s.head),    weight("wk", s.model, s.kv_heads * s.head),
          weight("wv", s.model, s.kv_heads * s.head), weight("wo", s.heads * s.head, s.model),
          weight("w gate", s.model, s.hidden),        weight("w up", s.model, s.hidden),
          weight("w down", s.hidden, s.model)};
}

namespace {

// Queries of a group of heads share keys: they are taken for one head of as many more queries.
TensorShape queries(const LayerShape& s) {
  return {{s.tokens / s.sequence * s.kv_heads, s.heads / s.kv_heads * s.sequence, s.head}, DType::kBf16};
}
TensorShape keys(const LayerShape& s) {
  return {{s.tokens / s.sequence * s.kv_heads, s.sequence, s.head}, DType::kBf16};
}

}  // namespace

Value attention_half(ModuleBuilder& b, const std::string& layer, const LayerShape& s, Value in, const LayerWeights& w,
                     LayerResults* results) {
  const auto name = [&](const char* what) { return fmt::format("{} {}", layer, what); };
  const Value q = b.reshape(b.matmul(name("q"), in, w.q), queries(s));
  const Value k = b.reshape(b.matmul(name("k"), in, w.k), keys(s));
  const Value v = b.reshape(b.matmul(name("v"), in, w.v), keys(s));
  const Value heads = b.attention(name("attention"), q, k, v);
  const Value flat = b.reshape(heads, {{s.tokens, s.heads * s.head}, DType::kBf16});
  if (results != nullptr) {
    results->q = q;
    results->k = k;
    results->v = v;
    results->attended = flat;
  }
  return b.matmul(name("o"), flat, w.o);
}

Value feed_forward_half(ModuleBuilder& b, const std::string& layer, Value in, const LayerWeights& w,
                        LayerResults* results) {
  const auto name = [&](const char* what) { return fmt::format("{} {}", layer, what); };
  const Value gate = b.matmul(name("gate"), in, w.gate);
  const Value up = b.matmul(name("up"), in, w.up);
  const Value product = b.elementwise(name("gated"), Opcode::kMultiply, gate, up);
  if (results != nullptr) results->activated = product;
  return b.matmul(name("down"), product, w.down);
}

LayerResults forward(ModuleBuilder& b, const std::string& layer, const LayerShape& s, Value in, const LayerWeights& w) {
  LayerResults results;
  results.in = in;
  const Value attention = attention_half(b, layer, s, in, w, &results);
  results.middle = b.elementwise(fmt::format("{} middle", layer), Opcode::kAdd, in, attention);
  const Value feed = feed_forward_half(b, layer, results.middle, w, &results);
  results.out = b.elementwise(fmt::format("{} out", layer), Opcode::kAdd, results.middle, feed);
  return results;
}

namespace {

// The two products behind y = x w: dw = x^T dy, dx = dy w^T.
struct ProductGradients {
  Value weight, in;
};
ProductGradients product_gradients(ModuleBuilder& b, const std::string& name, Value x, Value w, Value dy) {
  const TensorShape &of_x = b.shape(x), &of_w = b.shape(w);
  const TensorShape turned_x{{of_x.columns(), of_x.rows()}, of_x.type},
      turned_w{{of_w.columns(), of_w.rows()}, of_w.type};
  return {b.matmul("d" + name + " weight", b.reshape(x, turned_x), dy),
          b.matmul("d" + name, dy, b.reshape(w, turned_w))};
}

}  // namespace

LayerGradients backward(ModuleBuilder& b, const std::string& layer, const LayerShape& s, const LayerResults& f,
                        Value out, const LayerWeights& w) {
  const auto name = [&](const char* what) { return fmt::format("{} {}", layer, what); };
  LayerGradients gradients{.weights = {}, .in = {}};
  const auto back = [&](const char* what, Value x, Value weight, Value dy) {
    const ProductGradients product = product_gradients(b, name(what), x, weight, dy);
    gradients.weights.push_back(product.weight);
    return product.in;
  };
  const Value d_activated = back("down", f.activated, w.down, out);
  const Value d_gate = b.elementwise(name("d gated gate"), Opcode::kMultiply, d_activated, f.activated);
  const Value d_up = b.elementwise(name("d gated up"), Opcode::kMultiply, d_activated, f.activated);
  const Value through_gate = back("gate", f.middle, w.gate, d_gate);
  const Value through_up = back("up", f.middle, w.up, d_up);
  const Value d_feed = b.elementwise(name("d feed"), Opcode::kAdd, through_gate, through_up);
  const Value d_middle = b.elementwise(name("d middle"), Opcode::kAdd, out, d_feed);

  const Value d_attended = back("o", f.attended, w.o, d_middle);
  // Backward through attention: the scores again, and the gradients of queries, keys and values, five products where
  // the forward pass has two. Played as two attentions, of the queries and of the keys: four of the five.
  const Value d_heads = b.reshape(d_attended, queries(s));
  const Value dq = b.attention(name("d attention q"), d_heads, f.k, f.v);
  const Value dk = b.attention(name("d attention kv"), f.k, f.q, d_heads);
  const TensorShape flat_keys{{s.tokens, s.kv_heads * s.head}, DType::kBf16};
  const Value through_q = back("q", f.in, w.q, b.reshape(dq, {{s.tokens, s.heads * s.head}, DType::kBf16}));
  const Value through_k = back("k", f.in, w.k, b.reshape(dk, flat_keys));
  const Value through_v = back("v", f.in, w.v, b.reshape(dk, flat_keys));
  const Value d_qk = b.elementwise(name("d qk"), Opcode::kAdd, through_q, through_k);
  const Value d_qkv = b.elementwise(name("d qkv"), Opcode::kAdd, d_qk, through_v);
  gradients.in = b.elementwise(name("d in"), Opcode::kAdd, d_middle, d_qkv);
  return gradients;
}

}  // namespace podsim::firmware
