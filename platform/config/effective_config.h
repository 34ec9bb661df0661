// The effective configuration: every key of a struct with its value, unit, meaning and rules. For listings, for a
// record of a run, and as a YAML file that reads back to the same struct.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/config/config_node.h"
#include "platform/config/field_rules.h"
#include "platform/config/fields.h"
#include "platform/config/scalar_parsers.h"

namespace podsim::config {

struct EffectiveKey {
  std::string path;      // "ici.link.hop_latency"
  std::string value;     // "1 us", as YAML has it; empty for a section
  std::string help;      // what the key means
  std::string expected;  // "a duration such as '1.5 us', at least 1 ns"
  int depth = 0;         // sections around it
  enum class Kind { kValue, kSection, kElement } kind = Kind::kValue;
};

// Text that YAML reads as just `text`: quoted and escaped where it has to be.
[[nodiscard]] std::string quote_if_needed(const std::string& text);

// The visitor behind effective_keys.
class KeyLister {
 public:
  KeyLister(std::string path, int depth, std::vector<EffectiveKey>& keys)
      : path_(std::move(path)), depth_(depth), keys_(keys) {}

  template <class T, class... Rules>
  void operator()(std::string_view key, T& value, std::string_view help, const Rules&... rules) {
    list(join_key(path_, key), value, help, EffectiveKey::Kind::kValue, rules...);
  }
  template <class Describe>
  void section(std::string_view key, std::string_view help, Describe describe) {
    keys_.push_back({join_key(path_, key), {}, std::string(help), {}, depth_, EffectiveKey::Kind::kSection});
    KeyLister lister(join_key(path_, key), depth_ + 1, keys_);
    describe(lister);
  }
  template <class... Forms>
  void note(std::string_view, std::string_view, const Forms&...) {}
  template <class T>
  void layer(T& config) {
    fields(*this, config);
  }
  void check(bool, std::string_view, std::string_view) {}

 private:
  template <class T, class... Rules>
  void list(const std::string& path, T& value, std::string_view help, EffectiveKey::Kind kind, const Rules&... rules) {
    if constexpr (is_optional<T>) {
      if (value) list(path, *value, help, kind, rules...);
    } else if constexpr (is_section<T>) {
      const bool element = kind == EffectiveKey::Kind::kElement;
      keys_.push_back({path, {}, std::string(help), {}, depth_, element ? kind : EffectiveKey::Kind::kSection});
      KeyLister section(path, depth_ + 1, keys_);
      fields(section, value);
    } else if constexpr (is_vector<T>) {
      list_vector(path, value, help, kind, rules...);
    } else {
      keys_.push_back({path, yaml_text(value), std::string(help), expected<T>(rules...), depth_, kind});
    }
  }

  template <class T, class... Rules>
  void list_vector(const std::string& path, std::vector<T>& values, std::string_view help, EffectiveKey::Kind kind,
                   const Rules&... rules) {
    if constexpr (is_section<T> || is_vector<T>) {
      keys_.push_back(
          {path, values.empty() ? "[]" : "", std::string(help), "a list", depth_, EffectiveKey::Kind::kSection});
      KeyLister section(path, depth_ + 1, keys_);
      for (std::size_t i = 0; i < values.size(); ++i) {
        section.list(join_key(path, std::to_string(i)), values[i], {}, EffectiveKey::Kind::kElement, rules...);
      }
    } else {
      std::string text;
      for (const T& value : values) text += (text.empty() ? "" : ", ") + yaml_text(value);
      keys_.push_back({path, fmt::format("[{}]", text), std::string(help),
                       fmt::format("a list of {}", expected<T>(rules...)), depth_, kind});
    }
  }

  template <class T>
  [[nodiscard]] static std::string yaml_text(const T& value) {
    if constexpr (std::is_same_v<T, std::string> || std::is_enum_v<T>) {
      return quote_if_needed(value_text(value));
    } else {
      return value_text(value);
    }
  }

  template <class T, class... Rules>
  [[nodiscard]] static std::string expected(const Rules&... rules) {
    std::string text = expectation<T>();
    ((text += fmt::format(", {}", words(rules))), ...);
    return text;
  }

  std::string path_;
  int depth_;
  std::vector<EffectiveKey>& keys_;
};

// Takes a copy, because visitors see members as ones that they may change.
template <class T>
[[nodiscard]] std::vector<EffectiveKey> effective_keys(T config) {
  std::vector<EffectiveKey> keys;
  KeyLister lister({}, 0, keys);
  fields(lister, config);
  return keys;
}

// YAML with each key's meaning as a comment.
[[nodiscard]] std::string to_yaml(const std::vector<EffectiveKey>& keys);

}  // namespace podsim::config
