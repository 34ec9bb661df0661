#include "platform/config/effective_config.h"

#include <fmt/format.h>

#include <cctype>

namespace podsim::config {
namespace {

// Words and names are safe as they are, also within a list in brackets.
bool is_plain(const std::string& text) {
  if (text.empty() || text == "null" || text == "~") return false;
  for (const char c : text) {
    const bool safe = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                      std::string_view(" ./_-+").find(c) != std::string_view::npos;
    if (!safe) return false;
  }
  return std::isalnum(static_cast<unsigned char>(text.front())) != 0 && text.back() != ' ';
}

}  // namespace

std::string quote_if_needed(const std::string& text) {
  if (is_plain(text)) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  result += '"';
  return result;
}

std::string to_yaml(const std::vector<EffectiveKey>& keys) {
  std::string yaml;
  for (const EffectiveKey& key : keys) {
    std::string line(static_cast<std::size_t>(key.depth) * 2, ' ');
    // Elements of a list stand under "-", one step deeper than the list's key.
    const bool element = key.kind == EffectiveKey::Kind::kElement;
    line += element ? "-" : fmt::format("{}:", key.path.substr(key.path.rfind('.') + 1));
    if (!key.value.empty()) line += fmt::format(" {}", key.value);
    if (!key.help.empty()) line += fmt::format("  # {}", key.help);
    yaml += line;
    yaml += '\n';
  }
  return yaml;
}

}  // namespace podsim::config
