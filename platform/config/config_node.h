// A configuration document as a plain tree that remembers where each key and value was written. It is what the YAML
// parser produces, what layering and --set change, and what the typed reader (fields_reader.h) consumes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/config/config_error.h"

namespace podsim::config {

struct ConfigEntry;

struct ConfigNode {
  enum class Kind { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  SourceMark mark;
  std::string text;                  // kScalar: as written, without quotes
  std::vector<ConfigNode> items;     // kList
  std::vector<ConfigEntry> entries;  // kMap, in the order of the file; keys are unique

  // The value under `key` of a map; nullptr when there is none or this is no map.
  [[nodiscard]] const ConfigNode* find(std::string_view key) const;
  [[nodiscard]] ConfigNode* find(std::string_view key);
  void erase(std::string_view key);

  // "a section", "a list", "nothing", or the quoted text: for messages.
  [[nodiscard]] std::string describe() const;
};

struct ConfigEntry {
  std::string key;
  SourceMark key_mark;
  ConfigNode value;
};

// `over` laid upon `base`: maps merge key by key, anything else replaces. An empty section in `over` changes nothing.
// Every leaf keeps the mark of the layer that it came from; keys that are in both keep the mark of `over`.
[[nodiscard]] ConfigNode merge(ConfigNode base, const ConfigNode& over);

// "ici" + "link" -> "ici.link".
[[nodiscard]] std::string join_key(std::string_view section, std::string_view key);

}  // namespace podsim::config
