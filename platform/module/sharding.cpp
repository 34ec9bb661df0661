#include "platform/module/sharding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace podsim::module {

namespace {

using Axes = std::vector<std::string>;
using Kind = ShardingStep::Kind;
using Of = ShardingStep::Of;

bool contains(const std::string& dims, char dim) { return dims.find(dim) != std::string::npos; }
bool contains(const Axes& axes, const std::string& axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

[[noreturn]] void fail(const std::string& what) { throw std::invalid_argument(what); }

void set_axes(ShardedTensor& tensor, char dim, Axes axes) {
  if (axes.empty()) {
    tensor.axes.erase(dim);
  } else {
    tensor.axes[dim] = std::move(axes);
  }
}

}  // namespace

const Axes& ShardedTensor::axes_of(char dim) const {
  static const Axes kNone;
  const auto found = axes.find(dim);
  return found == axes.end() ? kNone : found->second;
}

std::string ShardedTensor::to_string() const {
  std::string text;
  for (const char dim : dims) {
    if (!text.empty()) text += ' ';
    text += dim;
    if (!axes_of(dim).empty()) text += fmt::format("[{}]", fmt::join(axes_of(dim), ","));
  }
  return text;
}

ShardedTensor parse_sharded(const std::string& text) {
  ShardedTensor tensor;
  Axes seen;
  std::size_t at = 0;
  const auto skip = [&] {
    while (at < text.size() && text[at] == ' ') ++at;
  };
  for (skip(); at < text.size(); skip()) {
    const char dim = text[at++];
    if (std::isalpha(static_cast<unsigned char>(dim)) == 0) {
      fail(fmt::format("expected dimensions such as 'B[x] D', got '{}' at '{}'", text, dim));
    }
    if (contains(tensor.dims, dim)) fail(fmt::format("dimension '{}' is there twice in '{}'", dim, text));
    tensor.dims += dim;
    if (at == text.size() || text[at] != '[') continue;
    const std::size_t end = text.find(']', at);
    if (end == std::string::npos) fail(fmt::format("a ']' is missing in '{}'", text));
    Axes axes;
    std::string axis;
    for (++at; at <= end; ++at) {
      if (text[at] != ',' && text[at] != ']') {
        if (text[at] != ' ') axis += text[at];
        continue;
      }
      if (axis.empty()) fail(fmt::format("an axis is missing in '{}'", text));
      if (contains(seen, axis)) fail(fmt::format("axis '{}' is there twice in '{}'", axis, text));
      seen.push_back(axis);
      axes.push_back(std::exchange(axis, {}));
    }
    tensor.axes[dim] = std::move(axes);
  }
  return tensor;
}

std::string to_string(const ShardingStep& step) {
  const char* const of = step.of == Of::kA ? "a" : step.of == Of::kB ? "b" : "result";
  const std::string axes = fmt::format("{}", fmt::join(step.axes, ","));
  switch (step.kind) {
    case Kind::kAllGather: return fmt::format("all-gather of {} along {} over {}", of, step.dim, axes);
    case Kind::kEinsum: return "product of what each chip has";
    case Kind::kAllReduce: return fmt::format("all-reduce of {} over {}", of, axes);
    case Kind::kReduceScatter: return fmt::format("reduce-scatter of {} along {} over {}", of, step.dim, axes);
    case Kind::kAllToAll: return fmt::format("all-to-all of {} from {} to {} over {}", of, step.dim, step.to, axes);
    case Kind::kSlice: return fmt::format("slice of {} along {} over {}", of, step.dim, axes);
  }
  return "?";
}

std::uint64_t shard_extent(const ShardedTensor& tensor, char dim, const Extents& extents, const AxisSizes& axes) {
  const auto extent = extents.find(dim);
  if (extent == extents.end()) fail(fmt::format("dimension '{}' has no size", dim));
  std::uint64_t parts = 1;
  for (const std::string& axis : tensor.axes_of(dim)) {
    const auto size = axes.find(axis);
    if (size == axes.end()) fail(fmt::format("the pod has no axis '{}'", axis));
    parts *= size->second;
  }
  if (extent->second % parts != 0) {
    fail(fmt::format("dimension '{}' of {} can't be cut into {} equal parts", dim, extent->second, parts));
  }
  return extent->second / parts;
}

std::uint64_t shard_elements(const ShardedTensor& tensor, const Extents& extents, const AxisSizes& axes) {
  std::uint64_t elements = 1;
  for (const char dim : tensor.dims) elements *= shard_extent(tensor, dim, extents, axes);
  return elements;
}

namespace {

class EinsumPlan {
 public:
  EinsumPlan(ShardedTensor a, ShardedTensor b, const ShardedTensor& wanted, const Extents& extents,
             const AxisSizes& axes)
      : a_(std::move(a)), b_(std::move(b)), wanted_(wanted), extents_(extents), axes_(axes) {
    for (const char dim : wanted.dims) {
      if (!contains(a_.dims, dim) && !contains(b_.dims, dim)) fail(fmt::format("no operand has dimension '{}'", dim));
    }
    for (const auto* tensor : std::initializer_list<const ShardedTensor*>{&a_, &b_, &wanted}) {
      (void)shard_elements(*tensor, extents, axes);
    }
  }

  std::vector<ShardingStep> make() {
    match_shared_dimensions();
    free_doubled_axes();
    multiply();
    sum_up();
    reshard();
    return std::move(steps_);
  }

 private:
  ShardedTensor& tensor(Of of) { return of == Of::kA ? a_ : of == Of::kB ? b_ : result_; }

  void step(Kind kind, Of of, Axes axes, char dim = 0, char to = 0) {
    steps_.push_back({kind, of, std::move(axes), dim, to, tensor(of)});
  }

  // Takes the last axes of a dimension away, so that what is gathered lies together.
  void gather(Of of, char dim, std::size_t keep = 0) {
    Axes axes = tensor(of).axes_of(dim);
    if (axes.size() <= keep) return;
    const Axes gone(axes.begin() + static_cast<std::ptrdiff_t>(keep), axes.end());
    axes.resize(keep);
    set_axes(tensor(of), dim, std::move(axes));
    step(Kind::kAllGather, of, gone, dim);
  }

  // Dimensions that both operands have, summed over or not, must be sharded alike.
  void match_shared_dimensions() {
    for (const char dim : std::string(a_.dims)) {
      if (!contains(b_.dims, dim) || a_.axes_of(dim) == b_.axes_of(dim)) continue;
      std::size_t common = 0;
      while (common < std::min(a_.axes_of(dim).size(), b_.axes_of(dim).size()) &&
             a_.axes_of(dim)[common] == b_.axes_of(dim)[common]) {
        ++common;
      }
      gather(Of::kA, dim, common);
      gather(Of::kB, dim, common);
    }
  }

  // Case 4. The operand whose dimension is not wanted so stays whole; else the smaller one.
  void free_doubled_axes() {
    for (const char dim : std::string(a_.dims)) {
      if (contains(b_.dims, dim)) continue;
      for (const std::string& axis : Axes(a_.axes_of(dim))) {
        const auto other = std::find_if(b_.axes.begin(), b_.axes.end(), [&](const auto& entry) {
          return entry.first != dim && contains(entry.second, axis);
        });
        if (other == b_.axes.end() || !contains(a_.axes_of(dim), axis)) continue;
        const bool shared = contains(a_.dims, other->first);  // then a has it for the product
        const bool wanted_of_a = contains(wanted_.axes_of(dim), axis);
        const bool wanted_of_b = contains(wanted_.axes_of(other->first), axis);
        const bool keep_a = !shared && (wanted_of_a || (!wanted_of_b && shard_elements(b_, extents_, axes_) <=
                                                                            shard_elements(a_, extents_, axes_)));
        if (keep_a) {
          gather_from(Of::kB, other->first, axis);
        } else {
          gather_from(Of::kA, dim, axis);
        }
      }
    }
  }

  void gather_from(Of of, char dim, const std::string& axis) {
    const Axes& axes = tensor(of).axes_of(dim);
    gather(of, dim, static_cast<std::size_t>(std::find(axes.begin(), axes.end(), axis) - axes.begin()));
  }

  void multiply() {
    result_.dims = wanted_.dims;
    for (const auto* operand : std::initializer_list<const ShardedTensor*>{&a_, &b_}) {
      for (const auto& [dim, axes] : operand->axes) {
        if (contains(wanted_.dims, dim)) {
          result_.axes[dim] = axes;
        } else if (operand == &a_ || !contains(a_.dims, dim)) {
          partial_.insert(partial_.end(), axes.begin(), axes.end());
        }
      }
    }
    step(Kind::kEinsum, Of::kResult, {});
  }

  // Case 3. Axes that the result is wanted sharded over, next in the order of the dimension's axes, are scattered over.
  void sum_up() {
    for (const char dim : result_.dims) {
      Axes scattered;
      const Axes& wanted = wanted_.axes_of(dim);
      for (std::size_t i = result_.axes_of(dim).size(); i < wanted.size() && starts_with(wanted, result_.axes_of(dim));
           ++i) {
        if (!contains(partial_, wanted[i])) break;
        scattered.push_back(wanted[i]);
      }
      if (scattered.empty()) continue;
      Axes now = result_.axes_of(dim);
      now.insert(now.end(), scattered.begin(), scattered.end());
      set_axes(result_, dim, std::move(now));
      std::erase_if(partial_, [&](const std::string& axis) { return contains(scattered, axis); });
      step(Kind::kReduceScatter, Of::kResult, scattered, dim);
    }
    if (!partial_.empty()) step(Kind::kAllReduce, Of::kResult, partial_);
  }

  static bool starts_with(const Axes& axes, const Axes& begin) {
    return axes.size() >= begin.size() && std::equal(begin.begin(), begin.end(), axes.begin());
  }

  void reshard() {
    // An axis that is the last of one dimension and the next of another goes over.
    for (const char from : result_.dims) {
      while (!result_.axes_of(from).empty() && !starts_with(wanted_.axes_of(from), result_.axes_of(from))) {
        const std::string axis = result_.axes_of(from).back();
        const auto to = std::find_if(result_.dims.begin(), result_.dims.end(), [&](char dim) {
          const Axes &has = result_.axes_of(dim), &wants = wanted_.axes_of(dim);
          return dim != from && starts_with(wants, has) && wants.size() > has.size() && wants[has.size()] == axis;
        });
        Axes left = result_.axes_of(from);
        left.pop_back();
        set_axes(result_, from, std::move(left));
        if (to == result_.dims.end()) {
          step(Kind::kAllGather, Of::kResult, {axis}, from);
          continue;
        }
        Axes more = result_.axes_of(*to);
        more.push_back(axis);
        set_axes(result_, *to, std::move(more));
        step(Kind::kAllToAll, Of::kResult, {axis}, from, *to);
      }
    }
    for (const char dim : result_.dims) {
      const Axes& wanted = wanted_.axes_of(dim);
      const Axes missing(wanted.begin() + static_cast<std::ptrdiff_t>(result_.axes_of(dim).size()), wanted.end());
      if (missing.empty()) continue;
      set_axes(result_, dim, wanted);
      step(Kind::kSlice, Of::kResult, missing, dim);
    }
  }

  ShardedTensor a_, b_, result_;
  const ShardedTensor& wanted_;
  const Extents& extents_;
  const AxisSizes& axes_;
  Axes partial_;  // that the product is a partial sum over
  std::vector<ShardingStep> steps_;
};

}  // namespace

std::vector<ShardingStep> plan_einsum(const ShardedTensor& a, const ShardedTensor& b, const ShardedTensor& result,
                                      const Extents& extents, const AxisSizes& axes) {
  return EinsumPlan(a, b, result, extents, axes).make();
}

}  // namespace podsim::module
