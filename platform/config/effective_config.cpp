#include "platform/config/effective_config.h"

#include <fmt/format.h>

#include <cctype>

namespace podsim::config {
namespace {

// Quantities, numbers and names are safe as they are; anything else is put in double quotes.
bool is_plain(const std::string& text) {
  if (text.empty() || text == "null" || text == "~") return false;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
        std::string_view(" ./_-+").find(c) == std::string_view::npos) {
      return false;
    }
  }
  return text.front() != ' ' && text.front() != '-' && text.back() != ' ';
}

std::string quoted(const std::string& text) {
  if (is_plain(text) || text.starts_with('[')) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  result += '"';
  return result;
}

}  // namespace

std::string to_yaml(const std::vector<EffectiveKey>& keys) {
  std::string yaml;
  for (const EffectiveKey& key : keys) {
    std::string line(static_cast<std::size_t>(key.depth) * 2, ' ');
    const std::string name = key.path.substr(key.path.rfind('.') + 1);
    // Elements of a list stand under "-", one step deeper than the list's key.
    if (key.kind == EffectiveKey::Kind::kElement) {
      line += "-";
    } else {
      line += fmt::format("{}:", name);
      if (key.kind == EffectiveKey::Kind::kValue || !key.value.empty()) line += fmt::format(" {}", quoted(key.value));
    }
    if (!key.help.empty()) line += fmt::format("  # {}", key.help);
    yaml += line;
    yaml += '\n';
  }
  return yaml;
}

}  // namespace podsim::config
