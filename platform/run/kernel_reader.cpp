#include "platform/run/kernel_reader.h"

#include <fmt/format.h>

#include "platform/config/section_reader.h"
#include "platform/config/suggestion.h"

namespace podsim::run {

using config::ConfigError;
using config::ConfigNode;
using config::join_key;
using firmware::DType;
using firmware::KernelCall;
using firmware::KernelKind;
using tensor_core::Opcode;

namespace {

// A kernel's section.
class KernelReader {
 public:
  KernelReader(KernelKind kind, const KernelEntry& entry, const ConfigNode& node, std::string key)
      : kind_(kind), entry_(entry), node_(node), key_(std::move(key)) {}

  [[nodiscard]] KernelCall read() const {
    KernelCall call;
    call.kind = kind_;
    call.type = entry_.dtype;
    call.result = entry_.out.value_or(default_result(kind_, entry_.dtype));
    call.cores = entry_.cores;
    call.buffers = entry_.buffers;
    call.m = entry_.m.value_or(entry_.rows.value_or(entry_.queries.value_or(1)));
    call.n = entry_.n.value_or(entry_.columns.value_or(entry_.keys.value_or(entry_.elements.value_or(1))));
    call.k = entry_.k.value_or(entry_.head_dim.value_or(1));
    call.heads = entry_.heads.value_or(1);
    read_operation(call);
    if (const auto fault = check_call(call)) fail(fault->part, fault->text);
    read_tiles(call);
    return call;
  }

 private:
  [[noreturn]] void fail(const std::string& key, const std::string& message) const {
    const ConfigNode* node = node_.find(key);
    throw ConfigError(node != nullptr ? node->mark : node_.mark, join_key(key_, key), message);
  }

  void read_operation(KernelCall& call) const {
    using Named = std::pair<std::string_view, Opcode>;
    std::vector<Named> known;
    if (kind_ == KernelKind::kElementwise) {
      known = {{"add", Opcode::kAdd}, {"multiply", Opcode::kMultiply}, {"max", Opcode::kMax}, {"min", Opcode::kMin}};
    } else if (kind_ == KernelKind::kReduce) {
      known = {{"sum", Opcode::kRowSum}, {"max", Opcode::kRowMax}};
    } else {
      return;
    }
    call.operation = known.front().second;
    if (entry_.op.empty()) return;
    std::vector<std::string> names;
    for (const Named& each : known) {
      names.emplace_back(each.first);
      if (each.first == entry_.op) {
        call.operation = each.second;
        return;
      }
    }
    fail("op", fmt::format("there is no operation '{}' for {}; there is {}{}", entry_.op, kernel_name(kind_),
                           fmt::join(names, ", "), config::suggestion(entry_.op, names)));
  }

  void read_tiles(KernelCall& call) const {
    const ConfigNode* const tiles = node_.find("tiles");
    if (tiles == nullptr) return;
    if (tiles->kind == ConfigNode::Kind::kScalar && tiles->text == "auto") return;
    if (tiles->kind != ConfigNode::Kind::kMap) {
      fail("tiles", fmt::format("expected 'auto' or sizes such as {{m: 512}}, got {}", tiles->describe()));
    }
    const TilesEntry entry = config::read<TilesEntry>(*tiles, join_key(key_, "tiles"));
    if (kind_ != KernelKind::kMatmul && entry.k) refuse_tile(*tiles, "k");
    if (kind_ == KernelKind::kElementwise && entry.m) refuse_tile(*tiles, "m");
    call.tiles = {entry.m.value_or(0), entry.k.value_or(0), entry.n.value_or(0)};
  }

  void refuse_tile(const ConfigNode& tiles, const char* extent) const {
    throw ConfigError(tiles.find(extent)->mark, join_key(join_key(key_, "tiles"), extent),
                      fmt::format("{} has no tiles in this direction", kernel_name(kind_)));
  }

  const KernelKind kind_;
  const KernelEntry& entry_;
  const ConfigNode& node_;
  const std::string key_;
};

}  // namespace

std::optional<KernelCall> read_kernel(const KernelEntries& entries, const ConfigNode& node, const std::string& key) {
  const auto read = [&](const auto& entry, KernelKind kind) -> std::optional<KernelCall> {
    if (!entry) return std::nullopt;
    const std::string name(kernel_name(kind));
    return KernelReader(kind, *entry, *node.find(name), join_key(key, name)).read();
  };
  if (auto call = read(entries.matmul, KernelKind::kMatmul)) return call;
  if (auto call = read(entries.elementwise, KernelKind::kElementwise)) return call;
  if (auto call = read(entries.reduce, KernelKind::kReduce)) return call;
  if (auto call = read(entries.softmax, KernelKind::kSoftmax)) return call;
  return read(entries.attention, KernelKind::kAttention);
}

}  // namespace podsim::run
