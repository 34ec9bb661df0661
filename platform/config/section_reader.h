// The visitor that fills a config struct from a section of a document (see fields.h), strictly: an unknown key, a wrong
// type, a missing required key and a broken rule are errors. All errors of a document are collected, then thrown
// together.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "platform/config/config_node.h"
#include "platform/config/field_rules.h"
#include "platform/config/fields.h"
#include "platform/config/scalar_parsers.h"

namespace podsim::config {

class SectionReader {
 public:
  // `path` is the section's key from the root. Findings are added to `diagnostics`; `node` must outlive the reader.
  SectionReader(const ConfigNode& node, std::string path, std::vector<Diagnostic>& diagnostics)
      : node_(node), path_(std::move(path)), diagnostics_(diagnostics), found_before_(diagnostics.size()) {}

  template <class T, class... Rules>
  void operator()(std::string_view key, T& value, std::string_view /*help*/, const Rules&... rules) {
    known_.emplace_back(key);
    if (const ConfigNode* node = node_.find(key)) {
      read_value(*node, join_key(path_, key), value, rules...);
    } else if constexpr ((std::is_same_v<Rules, Required> || ...)) {
      report(node_.mark, join_key(path_, key), "required key is missing");
    }
  }

  // Members of the present struct that stand in a section of their own in YAML: `describe` is called with its visitor.
  template <class Describe>
  void section(std::string_view key, std::string_view /*help*/, Describe describe) {
    known_.emplace_back(key);
    const ConfigNode* node = node_.find(key);
    // Without the section, its required keys are missing all the same.
    const ConfigNode absent{ConfigNode::Kind::kMap, node_.mark, {}, {}, {}};
    if (!node || expect(*node, join_key(path_, key), ConfigNode::Kind::kMap)) {
      SectionReader reader(node ? *node : absent, join_key(path_, key), diagnostics_);
      describe(reader);
      reader.finish();
    }
  }

  // A text that means nothing to the program, or a key that is read elsewhere.
  void note(std::string_view key, std::string_view help) {
    std::optional<std::string> ignored;
    (*this)(key, ignored, help);
  }
  template <class... Forms>
  void note(std::string_view key, std::string_view /*help*/, const Forms&...) {
    known_.emplace_back(key);
  }

  // Members of the present struct that have fields of their own, whose keys stand beside the others.
  template <class T>
  void layer(T& config) {
    fields(*this, config);
  }

  // A condition between members. It is judged only when the section's members were read without a finding: a default in
  // place of a bad value would give a second, misleading message.
  void check(bool holds, std::string_view key, std::string_view message);

  // Reports the keys that no member claimed.
  void finish();

 private:
  template <class T, class... Rules>
  void read_value(const ConfigNode& node, const std::string& path, T& value, const Rules&... rules) {
    if constexpr (is_optional<T>) {
      if (node.kind == ConfigNode::Kind::kNull) {
        value.reset();
      } else {
        read_value(node, path, value.emplace(), rules...);
      }
    } else if constexpr (is_vector<T>) {
      if (!expect(node, path, ConfigNode::Kind::kList)) return;
      value.assign(node.items.size(), {});
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        read_value(node.items[i], join_key(path, std::to_string(i)), value[i], rules...);
      }
    } else if constexpr (is_section<T>) {
      if (!expect(node, path, ConfigNode::Kind::kMap)) return;
      SectionReader section(node, path, diagnostics_);
      fields(section, value);
      section.finish();
    } else {
      read_scalar(node, path, value, rules...);
    }
  }

  template <class T, class... Rules>
  void read_scalar(const ConfigNode& node, const std::string& path, T& value, const Rules&... rules) {
    if (node.kind != ConfigNode::Kind::kScalar) {
      report(node.mark, path, fmt::format("expected {}, got {}", expectation<T>(), node.describe()));
      return;
    }
    const Parsed<T> parsed = parse_scalar<T>(node.text);
    if (!parsed.value) {
      report(node.mark, path, parsed.error);
      return;
    }
    bool holds = true;
    (
        [&] {
          const std::string why = broken(*parsed.value, rules);
          if (why.empty()) return;
          holds = false;
          report(node.mark, path, fmt::format("{}, got {}", why, node.describe()));
        }(),
        ...);
    if (holds) value = *parsed.value;
  }

  // Whether `node` is a section or list as wanted; reports if not. An empty section (no keys) is fine, an absent list
  // not.
  bool expect(const ConfigNode& node, const std::string& path, ConfigNode::Kind kind);
  void report(const SourceMark& mark, std::string path, std::string message);

  const ConfigNode& node_;
  std::string path_;
  std::vector<Diagnostic>& diagnostics_;
  std::size_t found_before_;
  std::vector<std::string> known_;
};

// A `T` from the document or section `node`. Members without a key keep the defaults of T. Throws ConfigError.
template <class T>
[[nodiscard]] T read(const ConfigNode& node, std::string path = {}) {
  T config{};
  std::vector<Diagnostic> diagnostics;
  SectionReader reader(node, std::move(path), diagnostics);
  fields(reader, config);
  reader.finish();
  if (!diagnostics.empty()) throw ConfigError(std::move(diagnostics));
  return config;
}

}  // namespace podsim::config
