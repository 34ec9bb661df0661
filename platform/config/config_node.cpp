#include "platform/config/config_node.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace podsim::config {

const ConfigNode* ConfigNode::find(std::string_view key) const {
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const ConfigEntry& e) { return e.key == key; });
  return entry == entries.end() ? nullptr : &entry->value;
}

ConfigNode* ConfigNode::find(std::string_view key) { return const_cast<ConfigNode*>(std::as_const(*this).find(key)); }

void ConfigNode::erase(std::string_view key) {
  std::erase_if(entries, [&](const ConfigEntry& e) { return e.key == key; });
}

std::string ConfigNode::describe() const {
  constexpr std::size_t kShown = 60;
  switch (kind) {
    case Kind::kNull: return "nothing";
    case Kind::kList: return "a list";
    case Kind::kMap: return "a section";
    case Kind::kScalar: break;
  }
  return text.size() <= kShown ? fmt::format("'{}'", text) : fmt::format("'{}...'", text.substr(0, kShown));
}

ConfigNode merge(ConfigNode base, const ConfigNode& over) {
  if (base.kind != ConfigNode::Kind::kMap) return over;
  if (over.kind == ConfigNode::Kind::kNull) return base;
  if (over.kind != ConfigNode::Kind::kMap) return over;
  base.mark = over.mark;
  for (const ConfigEntry& entry : over.entries) {
    const auto same = std::find_if(base.entries.begin(), base.entries.end(),
                                   [&](const ConfigEntry& e) { return e.key == entry.key; });
    if (same == base.entries.end()) {
      base.entries.push_back(entry);
    } else {
      same->key_mark = entry.key_mark;
      same->value = merge(std::move(same->value), entry.value);
    }
  }
  return base;
}

std::string join_key(std::string_view section, std::string_view key) {
  return section.empty() ? std::string(key) : fmt::format("{}.{}", section, key);
}

}  // namespace podsim::config
