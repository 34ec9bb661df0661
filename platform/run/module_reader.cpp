#include "platform/run/module_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "firmware/module/builder.h"
#include "firmware/workloads/workload.h"
#include "platform/config/section_reader.h"
#include "platform/config/suggestion.h"
#include "platform/module/einsum.h"
#include "platform/run/chip_list.h"
#include "platform/run/run_file.h"

namespace podsim::run {

using config::ConfigError;
using config::ConfigNode;
using config::join_key;
using firmware::ModuleBuilder;
using firmware::TensorShape;
using firmware::Value;
using tensor_core::Opcode;

namespace {

// What each operation needs and may have, besides its name.
struct Keys {
  std::size_t operands;
  std::vector<std::string_view> allowed;
};
const Keys& keys_of(ModuleOp op) {
  static const std::map<ModuleOp, Keys> kKeys{
      {ModuleOp::kParameter, {0, {"shape", "tensor", "dtype"}}},
      {ModuleOp::kMatmul, {2, {"of", "dtype"}}},
      {ModuleOp::kElementwise, {2, {"of", "function"}}},
      {ModuleOp::kSoftmax, {1, {"of"}}},
      {ModuleOp::kReduce, {1, {"of", "function"}}},
      {ModuleOp::kAttention, {3, {"of"}}},
      {ModuleOp::kEinsum, {2, {"of", "tensor", "dtype"}}},
      {ModuleOp::kAllGather, {1, {"of", "dim", "axes", "async"}}},
      {ModuleOp::kReduceScatter, {1, {"of", "dim", "axes", "async"}}},
      {ModuleOp::kAllReduce, {1, {"of", "axes", "async"}}},
      {ModuleOp::kAllToAll, {1, {"of", "dim", "concat", "axes", "async"}}},
      {ModuleOp::kPermute, {1, {"of", "axis", "by", "async"}}},
      {ModuleOp::kHostOut, {1, {"of", "pinned", "async"}}},
      {ModuleOp::kHostIn, {1, {"of", "async"}}},
      {ModuleOp::kConcat, {1, {"of", "async"}}},
      {ModuleOp::kWait, {1, {"of"}}},
  };
  return kKeys.at(op);
}

// `section` has the names as its 'axes'; `key` is its path.
ModuleBuilder::Axes read_axes(const std::vector<std::string>& names, const ConfigNode& section, const std::string& key,
                              const ici::TorusShape& torus) {
  ModuleBuilder::Axes axes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const config::SourceMark& mark = section.find("axes")->items[i].mark;
    const std::string path = join_key(key, fmt::format("axes.{}", i));
    const ici::Axis axis = find_axis(names[i], torus, mark, path);
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) {
      throw ConfigError(mark, path, fmt::format("axis '{}' is there twice", names[i]));
    }
    axes.push_back(axis);
  }
  return axes;
}

class ModuleReader {
 public:
  ModuleReader(const ModuleEntry& entry, const ConfigNode& node, std::string key, const ici::TorusShape& torus)
      : entry_(entry), node_(node), key_(std::move(key)), torus_(torus), builder_(entry.name, torus) {}

  firmware::Module read() {
    read_dimensions();
    for (at_ = 0; at_ < entry_.instructions.size(); ++at_) {
      try {
        read_instruction(entry_.instructions[at_]);
      } catch (const std::invalid_argument& error) {  // ModuleError, and what sharding.h finds
        throw ConfigError(here().mark, instruction_key(), error.what());
      }
    }
    return builder_.finish();
  }

 private:
  struct Known {
    Value value;
    std::optional<module::ShardedTensor> tensor;
  };

  [[nodiscard]] const ConfigNode& here() const { return node_.find("instructions")->items[at_]; }
  [[nodiscard]] std::string instruction_key() const { return join_key(key_, fmt::format("instructions.{}", at_)); }
  [[noreturn]] void fail(std::string_view key, const std::string& message) const {
    const ConfigNode* const node = here().find(key);
    throw ConfigError(node != nullptr ? node->mark : here().mark, join_key(instruction_key(), key), message);
  }

  void read_dimensions() {
    for (std::size_t i = 0; i < entry_.dimensions.size(); ++i) {
      const auto& [name, size] = entry_.dimensions[i];
      const ConfigNode& node = node_.find("dimensions")->items[i];
      const std::string key = join_key(key_, fmt::format("dimensions.{}.name", i));
      if (name.size() != 1 || std::isalpha(static_cast<unsigned char>(name[0])) == 0) {
        throw ConfigError(node.mark, key, fmt::format("expected one letter, got '{}'", name));
      }
      if (!extents_.emplace(name[0], size).second) {
        throw ConfigError(node.mark, key, fmt::format("dimension '{}' is there twice", name));
      }
    }
  }

  void check_keys(const InstructionEntry& entry) const {
    const Keys& keys = keys_of(entry.op);
    for (const config::ConfigEntry& each : here().entries) {
      const std::string& key = each.key;
      const bool executed = entry.op != ModuleOp::kWait && entry.op != ModuleOp::kParameter;
      const bool general = key == "op" || (key == "name" && entry.op != ModuleOp::kWait) ||
                           ((key == "after" || key == "chips" || key == "except") && executed);
      if (general || std::find(keys.allowed.begin(), keys.allowed.end(), key) != keys.allowed.end()) continue;
      fail(key, fmt::format("is not for '{}'", config::enum_name(entry.op)));
    }
    if (entry.name.empty() && entry.op != ModuleOp::kWait) fail("name", "required key is missing");
    const bool any_number = entry.op == ModuleOp::kWait || entry.op == ModuleOp::kConcat;
    if (entry.of.size() != keys.operands && !(any_number && !entry.of.empty())) {
      fail("of", fmt::format("'{}' reads {}, got {}", config::enum_name(entry.op), keys.operands, entry.of.size()));
    }
  }

  [[nodiscard]] const Known& find(const std::string& name, std::string_view key) const {
    const auto found = known_.find(name);
    if (found != known_.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [each, value] : known_) names.push_back(each);
    fail(key, fmt::format("nothing before is called '{}'{}", name, config::suggestion(name, names)));
  }

  void read_instruction(const InstructionEntry& entry) {
    check_keys(entry);
    std::vector<Known> of;
    for (const std::string& name : entry.of) of.push_back(find(name, "of"));
    if (entry.op == ModuleOp::kWait) {
      for (const Known& each : of) builder_.wait(each.value);
      return;
    }
    firmware::Attributes attributes;
    attributes.written_at =
        fmt::format("{}:{}", here().mark.source != nullptr ? *here().mark.source : "", here().mark.line);
    attributes.chips = read_chip_list(here(), instruction_key(), torus_);
    for (const std::string& name : entry.after) attributes.after.push_back(find(name, "after").value);
    builder_.set(std::move(attributes));
    known_[entry.name] = make(entry, of);
    if (!entry.async) builder_.synchronous();
  }

  [[nodiscard]] ModuleBuilder::Axes axes(const InstructionEntry& entry) const {
    return read_axes(entry.axes, here(), instruction_key(), torus_);
  }

  [[nodiscard]] Opcode function(const InstructionEntry& entry) const {
    const bool rows = entry.op == ModuleOp::kReduce;
    static const std::map<std::string, Opcode> kElements{
        {"add", Opcode::kAdd}, {"multiply", Opcode::kMultiply}, {"max", Opcode::kMax}, {"min", Opcode::kMin}};
    static const std::map<std::string, Opcode> kRows{{"sum", Opcode::kRowSum}, {"max", Opcode::kRowMax}};
    const auto& functions = rows ? kRows : kElements;
    if (entry.function.empty()) return rows ? Opcode::kRowSum : Opcode::kAdd;
    const auto found = functions.find(entry.function);
    if (found != functions.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [name, opcode] : functions) names.push_back(name);
    fail("function",
         fmt::format("there is no function '{}'{}", entry.function, config::suggestion(entry.function, names)));
  }

  [[nodiscard]] Known parameter(const InstructionEntry& entry) {
    const firmware::DType type = entry.dtype.value_or(firmware::DType::kBf16);
    if (entry.tensor.empty() == entry.shape.empty()) fail("shape", "a parameter has either a 'shape' or a 'tensor'");
    if (entry.tensor.empty()) {
      for (const std::uint64_t dim : entry.shape) {
        if (dim == 0) fail("shape", "a dimension of 0");
      }
      return {builder_.parameter(entry.name, {entry.shape, type}), std::nullopt};
    }
    const module::ShardedTensor tensor = module::parse_sharded(entry.tensor);
    return {builder_.parameter(entry.name, module::shard_shape(tensor, type, extents_, torus_)), tensor};
  }

  [[nodiscard]] Known einsum(const InstructionEntry& entry, const std::vector<Known>& of) {
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (!of[i].tensor) fail("of", fmt::format("'{}' is not given as a 'tensor', with its sharding", entry.of[i]));
    }
    if (entry.tensor.empty()) fail("tensor", "required key is missing");
    const module::ShardedValue result =
        module::add_einsum(builder_, entry.name, {of[0].value, *of[0].tensor}, {of[1].value, *of[1].tensor},
                           module::parse_sharded(entry.tensor), extents_, torus_, entry.dtype);
    return {result.value, result.tensor};
  }

  [[nodiscard]] Known make(const InstructionEntry& entry, const std::vector<Known>& of) {
    const std::string& name = entry.name;
    const auto value = [&](std::size_t i) { return of[i].value; };
    // Same shape, so same sharding.
    const auto like_first = [&](Value result) { return Known{result, of[0].tensor}; };
    switch (entry.op) {
      case ModuleOp::kParameter: return parameter(entry);
      case ModuleOp::kEinsum: return einsum(entry, of);
      case ModuleOp::kMatmul: return {builder_.matmul(name, value(0), value(1), entry.dtype), {}};
      case ModuleOp::kElementwise: return like_first(builder_.elementwise(name, function(entry), value(0), value(1)));
      case ModuleOp::kSoftmax: return like_first(builder_.softmax(name, value(0)));
      case ModuleOp::kReduce: return {builder_.reduce(name, function(entry), value(0)), {}};
      case ModuleOp::kAttention: return like_first(builder_.attention(name, value(0), value(1), value(2)));
      case ModuleOp::kAllGather: return {builder_.all_gather(name, value(0), entry.dim, axes(entry)), {}};
      case ModuleOp::kReduceScatter: return {builder_.reduce_scatter(name, value(0), entry.dim, axes(entry)), {}};
      case ModuleOp::kAllReduce: return like_first(builder_.all_reduce(name, value(0), axes(entry)));
      case ModuleOp::kAllToAll: return {builder_.all_to_all(name, value(0), entry.dim, entry.concat, axes(entry)), {}};
      case ModuleOp::kPermute: {
        if (entry.axis.empty()) fail("axis", "required key is missing");
        const ConfigNode& node = *here().find("axis");
        const ici::Axis axis = find_axis(entry.axis, torus_, node.mark, join_key(instruction_key(), "axis"));
        return like_first(builder_.permute(name, value(0), axis, entry.by));
      }
      case ModuleOp::kHostOut: return like_first(builder_.host_out(name, value(0), entry.pinned));
      case ModuleOp::kHostIn: return like_first(builder_.host_in(name, value(0)));
      case ModuleOp::kConcat: {
        std::vector<Value> values;
        for (const Known& each : of) values.push_back(each.value);
        return {builder_.concat(name, values), {}};
      }
      case ModuleOp::kWait: break;
    }
    return {};
  }

  const ModuleEntry& entry_;
  const ConfigNode& node_;
  const std::string key_;
  const ici::TorusShape& torus_;
  ModuleBuilder builder_;
  module::Extents extents_;
  std::map<std::string, Known> known_;
  std::size_t at_ = 0;  // the instruction that is being read
};

}  // namespace

namespace {

template <class Known>
std::vector<std::string> names_of(const Known& known) {
  std::vector<std::string> names;
  for (const auto& each : known) names.emplace_back(each.name);
  return names;
}

}  // namespace

firmware::Module read_workload(const WorkloadEntry& entry, const ConfigNode& node, const std::string& key,
                               const ici::TorusShape& torus) {
  const auto fail = [&](const char* which, const std::string& message) {
    const ConfigNode* const at = node.find(which);
    throw ConfigError(at != nullptr ? at->mark : node.mark, join_key(key, which), message);
  };
  const firmware::Workload* const workload = firmware::find_workload(entry.kind);
  if (workload == nullptr) {
    fail("kind", fmt::format("there is no workload '{}'{}", entry.kind,
                             config::suggestion(entry.kind, names_of(firmware::workloads()))));
  }
  const firmware::ModelShape* const model = firmware::find_model(entry.model);
  if (model == nullptr) {
    fail("model", fmt::format("there is no model '{}'{}", entry.model,
                              config::suggestion(entry.model, names_of(firmware::model_shapes()))));
  }
  firmware::WorkloadCall call{.model = model,
                              .layers = entry.layers,
                              .tokens = entry.tokens,
                              .sequence = entry.sequence,
                              .overlapped = entry.form == WorkloadForm::kOverlapped,
                              .axes = read_axes(entry.axes, node, key, torus),
                              .bucket = entry.bucket.bytes};
  try {
    return workload->build(call, torus);
  } catch (const firmware::ModuleError& error) {
    throw ConfigError(node.mark, key, error.what());
  }
}

firmware::Module read_module(const ModuleEntry& entry, const ConfigNode& node, const std::string& key,
                             const ici::TorusShape& torus) {
  return ModuleReader(entry, node, key, torus).read();
}

}  // namespace podsim::run
