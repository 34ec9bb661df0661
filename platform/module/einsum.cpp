#include "platform/module/einsum.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace podsim::module {

using firmware::ModuleBuilder;
using firmware::TensorShape;
using firmware::Value;
using Kind = ShardingStep::Kind;

namespace {

AxisSizes axis_sizes(const ici::TorusShape& torus) {
  AxisSizes sizes;
  for (unsigned i = 0; i < torus.axes(); ++i) {
    const ici::AxisShape& axis = torus.axis(static_cast<ici::Axis>(i));
    sizes[axis.name] = axis.size;
  }
  return sizes;
}

// Ranks have their first axis fastest; a tensor's first axis cuts into the largest pieces.
ModuleBuilder::Axes ranks(const std::vector<std::string>& axes, const ici::TorusShape& torus) {
  ModuleBuilder::Axes ranks;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) ranks.push_back(torus.find_axis(*axis).value());
  return ranks;
}

class EinsumBuilder {
 public:
  EinsumBuilder(ModuleBuilder& builder, std::string name, const ShardedValue& a, const ShardedValue& b,
                const ShardedTensor& wanted, const Extents& extents, const ici::TorusShape& torus)
      : builder_(builder), name_(std::move(name)), a_(a), b_(b), wanted_(wanted), extents_(extents), torus_(torus) {}

  ShardedValue build(std::optional<firmware::DType> type) {
    check();
    const auto steps = plan_einsum(a_.tensor, b_.tensor, wanted_, extents_, axis_sizes(torus_));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool last = i + 1 == steps.size();
      add(steps[i], last ? name_ : fmt::format("{} {}", name_, part_name(steps[i])), type);
    }
    return result_;
  }

 private:
  void check() const {
    const std::string &a = a_.tensor.dims, &b = b_.tensor.dims;
    std::string summed, kept;
    for (const char dim : a) (wanted_.dims.find(dim) == std::string::npos ? summed : kept) += dim;
    for (const char dim : b.substr(std::min(b.size(), summed.size()))) kept += dim;
    if (kept + summed != a.substr(0, a.size() - summed.size()) + b.substr(summed.size()) + summed ||
        !b.starts_with(summed) || !a.ends_with(summed) || wanted_.dims != kept || summed.empty()) {
      throw std::invalid_argument(
          fmt::format("{} x {} -> {}: a product sums over the last dimensions of the first and the first ones of the "
                      "second, and has the others of both in their order",
                      a, b, wanted_.dims));
    }
  }

  std::string part_name(const ShardingStep& step) const {
    switch (step.kind) {
      case Kind::kAllGather:
        return step.of == ShardingStep::Of::kResult ? "whole" : step.of == ShardingStep::Of::kA ? "a" : "b";
      case Kind::kEinsum: return "product";
      case Kind::kAllReduce: return "sum";
      case Kind::kReduceScatter: return fmt::format("sum {}", step.dim);
      case Kind::kAllToAll: return fmt::format("{} to {}", step.dim, step.to);
      case Kind::kSlice: return "slice";
    }
    return {};
  }

  ShardedValue& tensor(ShardingStep::Of of) {
    return of == ShardingStep::Of::kA ? a_ : of == ShardingStep::Of::kB ? b_ : result_;
  }
  static unsigned place(const ShardedTensor& tensor, char dim) { return static_cast<unsigned>(tensor.dims.find(dim)); }

  void add(const ShardingStep& step, const std::string& name, std::optional<firmware::DType> type) {
    ShardedValue& now = tensor(step.of);
    const auto axes = ranks(step.axes, torus_);
    switch (step.kind) {
      case Kind::kAllGather: now.value = builder_.all_gather(name, now.value, place(now.tensor, step.dim), axes); break;
      case Kind::kEinsum: multiply(name, type); break;
      case Kind::kAllReduce: now.value = builder_.all_reduce(name, now.value, axes); break;
      case Kind::kReduceScatter:
        now.value = builder_.reduce_scatter(name, now.value, place(now.tensor, step.dim), axes);
        break;
      case Kind::kAllToAll:
        now.value = builder_.all_to_all(name, now.value, place(now.tensor, step.to), place(now.tensor, step.dim), axes);
        break;
      case Kind::kSlice:
        throw std::invalid_argument(
            fmt::format("every chip would compute all of {} and keep a part: shard an operand", step.dim));
    }
    now.tensor = step.after;
  }

  void multiply(const std::string& name, std::optional<firmware::DType> type) {
    // As matrices: what is summed over is a's columns and b's rows.
    const auto extent = [&](const ShardedTensor& tensor, char dim) {
      return shard_extent(tensor, dim, extents_, axis_sizes(torus_));
    };
    std::uint64_t rows = 1, summed = 1, columns = 1;
    for (const char dim : a_.tensor.dims) {
      (wanted_.dims.find(dim) == std::string::npos ? summed : rows) *= extent(a_.tensor, dim);
    }
    for (const char dim : b_.tensor.dims) {
      if (a_.tensor.dims.find(dim) == std::string::npos) columns *= extent(b_.tensor, dim);
    }
    const firmware::DType of = builder_.shape(a_.value).type;
    const Value a = builder_.reshape(a_.value, {{rows, summed}, of});
    const Value b = builder_.reshape(b_.value, {{summed, columns}, builder_.shape(b_.value).type});
    const Value product = builder_.matmul(name, a, b, type);
    TensorShape shape{{}, builder_.shape(product).type};
    for (const char dim : wanted_.dims) {
      shape.dims.push_back(extent(a_.tensor.dims.find(dim) != std::string::npos ? a_.tensor : b_.tensor, dim));
    }
    result_.value = builder_.reshape(product, std::move(shape));
  }

  ModuleBuilder& builder_;
  const std::string name_;
  ShardedValue a_, b_, result_{};
  const ShardedTensor& wanted_;
  const Extents& extents_;
  const ici::TorusShape& torus_;
};

}  // namespace

TensorShape shard_shape(const ShardedTensor& tensor, firmware::DType type, const Extents& extents,
                        const ici::TorusShape& torus) {
  TensorShape shape{{}, type};
  for (const char dim : tensor.dims) shape.dims.push_back(shard_extent(tensor, dim, extents, axis_sizes(torus)));
  return shape;
}

ShardedValue add_einsum(ModuleBuilder& builder, const std::string& name, const ShardedValue& a, const ShardedValue& b,
                        const ShardedTensor& result, const Extents& extents, const ici::TorusShape& torus,
                        std::optional<firmware::DType> type) {
  return EinsumBuilder(builder, name, a, b, result, extents, torus).build(type);
}

}  // namespace podsim::module
