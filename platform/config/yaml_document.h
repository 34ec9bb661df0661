// YAML text to a ConfigNode tree, strictly: what yaml-cpp accepts in silence and a user did not mean is an error here.
//
// Refused, each with file, line and column: syntax errors, duplicate keys, keys that are no plain text, merge keys
// ('<<'), tags ('!!int'), several documents in a file, text that is not UTF-8 or has control characters, an alias that
// refers to itself, nesting deeper than kDeepestNesting, and documents of more than kMostNodes nodes once aliases are
// expanded. Anchors and aliases are fine: an alias is a copy, marked where the anchor stands.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "platform/config/config_node.h"

namespace podsim::config {

inline constexpr std::size_t kLargestFile = std::size_t{1} << 20;
inline constexpr int kDeepestNesting = 32;
inline constexpr std::size_t kMostNodes = 50'000;

// A document is empty (kNull) when the text has nothing but comments. `source` names it in messages. Throws
// ConfigError.
[[nodiscard]] ConfigNode parse_yaml(const std::string& text, std::string source);

// Reads a file whose top level must be a section. Throws ConfigError, also when the file is missing, unreadable, a
// folder, empty, or too large.
[[nodiscard]] ConfigNode load_yaml(const std::filesystem::path& path);

}  // namespace podsim::config
