#include "platform/config/overrides.h"

#include <charconv>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "platform/config/yaml_document.h"

namespace podsim::config {
namespace {

// Everything below `node` came from the argument.
void mark_all(ConfigNode& node, const SourceMark& mark) {
  node.mark = mark;
  for (ConfigNode& item : node.items) mark_all(item, mark);
  for (ConfigEntry& entry : node.entries) {
    entry.key_mark = mark;
    mark_all(entry.value, mark);
  }
}

// Paths may come from hostile scripts; the reader recurses as deep as they go.
constexpr int kDeepestPath = kDeepestNesting;

class Setter {
 public:
  explicit Setter(const std::string& argument)
      : argument_(argument), mark_{std::make_shared<const std::string>("--set " + argument)} {}

  void apply(ConfigNode& root) {
    const std::size_t equals = argument_.find('=');
    if (equals == std::string::npos || equals == 0) fail({}, "expected key=value, such as ici.link.hop_latency='1 us'");
    const std::string_view path = std::string_view(argument_).substr(0, equals);
    ConfigNode value = parse_value(path, argument_.substr(equals + 1));
    ConfigNode* node = &root;
    std::size_t from = 0;
    for (int depth = 0; from <= path.size(); ++depth) {
      const std::size_t dot = std::min(path.find('.', from), path.size());
      const std::string_view key = path.substr(from, dot - from);
      if (key.empty()) fail(path, "a key between the dots is missing");
      if (depth >= kDeepestPath) fail({}, fmt::format("nested more than {} deep", kDeepestPath));
      node = &step(*node, key, path.substr(0, from == 0 ? 0 : from - 1));
      from = dot + 1;
    }
    *node = std::move(value);
  }

 private:
  [[noreturn]] void fail(std::string_view key, std::string message) const {
    throw ConfigError(mark_, std::string(key), std::move(message));
  }

  [[nodiscard]] ConfigNode parse_value(std::string_view path, const std::string& text) const {
    ConfigNode value;
    try {
      value = parse_yaml(text, {});
    } catch (const ConfigError& error) {
      fail(path, error.message());
    }
    if (value.kind == ConfigNode::Kind::kNull && text.find_first_not_of(' ') == std::string::npos) {
      fail(path, "a value is missing behind '='");
    }
    mark_all(value, mark_);
    return value;
  }

  // The element or entry `key` of `node`, made if need be. `section` is the path of `node`.
  [[nodiscard]] ConfigNode& step(ConfigNode& node, std::string_view key, std::string_view section) const {
    if (node.kind == ConfigNode::Kind::kList) return element(node, key, section);
    if (node.kind == ConfigNode::Kind::kNull) node.kind = ConfigNode::Kind::kMap;
    if (node.kind != ConfigNode::Kind::kMap) {
      fail(section, fmt::format("is a plain value ({}), not a section", node.describe()));
    }
    for (ConfigEntry& entry : node.entries) {
      if (entry.key == key) return entry.value;
    }
    ConfigEntry made{std::string(key), mark_, {}};
    made.value.mark = mark_;
    node.entries.push_back(std::move(made));
    return node.entries.back().value;
  }

  [[nodiscard]] ConfigNode& element(ConfigNode& list, std::string_view key, std::string_view section) const {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error != std::errc{} || end != key.data() + key.size() || index >= list.items.size()) {
      fail(section, fmt::format("a list of {}, has no element '{}'", list.items.size(), key));
    }
    return list.items[index];
  }

  const std::string& argument_;
  SourceMark mark_;
};

}  // namespace

void apply_set(ConfigNode& root, const std::string& argument) { Setter(argument).apply(root); }

void apply_sets(ConfigNode& root, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) apply_set(root, argument);
}

}  // namespace podsim::config
