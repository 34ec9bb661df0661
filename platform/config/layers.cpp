#include "platform/config/layers.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "platform/config/overrides.h"
#include "platform/config/suggestion.h"
#include "platform/config/yaml_document.h"

namespace podsim::config {
namespace {

namespace fs = std::filesystem;

// More presets upon presets than this is a circle.
constexpr int kMostLayers = 16;

bool is_path(std::string_view name) { return name.find('/') != std::string_view::npos || name.ends_with(".yaml"); }

// The file in configs/<kind> that `reference`, the value of `key`, names.
fs::path find_file(const ConfigNode& reference, const std::string& key, const fs::path& root, const std::string& kind) {
  const auto fail = [&](const std::string& message) { throw ConfigError(reference.mark, key, message); };
  if (reference.kind != ConfigNode::Kind::kScalar || reference.text.empty()) {
    fail("expected the name of a preset, got " + reference.describe());
  }
  std::error_code ignored;
  if (is_path(reference.text)) {
    // A mark without lines is the command line's, whose paths are relative to the working directory.
    const fs::path folder = reference.mark.line > 0 ? fs::path(*reference.mark.source).parent_path() : fs::path();
    const fs::path file = folder / reference.text;
    if (!fs::exists(file, ignored)) fail(fmt::format("no such file: '{}'", file.string()));
    return file;
  }
  const fs::path presets = root / "configs" / kind;
  const fs::path file = presets / (reference.text + ".yaml");
  if (!fs::exists(file, ignored)) {
    fail(fmt::format("no preset '{}' in {}{}", reference.text, presets.string(),
                     suggestion(reference.text, preset_names(root, kind))));
  }
  return file;
}

// The file of the preset that `reference` (the value of `pod` or `chip`) names.
fs::path find_preset(const ConfigNode& reference, const std::string& key, const fs::path& root) {
  return find_file(reference, key, root, key + "s");
}

// A layer's description is its own.
void drop_description(ConfigDocument& layer) {
  const ConfigNode* const description = layer.find("description");
  if (description == nullptr) return;
  if (description->kind == ConfigNode::Kind::kList || description->kind == ConfigNode::Kind::kMap) {
    throw ConfigError(description->mark, "description", "expected text, got " + description->describe());
  }
  layer.erase("description");
}

// Lays `document` over the presets that it names under `key`, down to one that names none. The result keeps the
// document's own `key`, to tell what it was built upon.
ConfigDocument lay_over_presets(ConfigDocument document, const std::string& key, const fs::path& root) {
  const auto named = [&key](const ConfigDocument& layer) {
    return std::find_if(layer.entries.begin(), layer.entries.end(), [&](const ConfigEntry& e) { return e.key == key; });
  };
  if (named(document) == document.entries.end()) return document;
  const ConfigEntry own = *named(document);
  ConfigNode reference = own.value;
  for (int depth = 0; reference.kind != ConfigNode::Kind::kNull || depth == 0; ++depth) {
    if (depth == kMostLayers) throw ConfigError(own.value.mark, key, "the presets name each other in a circle");
    ConfigDocument base = load_yaml(find_preset(reference, key, root));
    const auto next = named(base);
    reference = next == base.entries.end() ? ConfigNode{} : next->value;
    base.erase(key);
    drop_description(base);
    document.erase(key);
    document = merge(std::move(base), document);
  }
  document.entries.push_back(own);
  return document;
}

// Lays the section `hbm` over the set of DRAM timings that it names.
void lay_over_timings(ConfigDocument& document, const fs::path& root) {
  ConfigNode* const hbm = document.find("hbm");
  if (hbm == nullptr || hbm->kind != ConfigNode::Kind::kMap) return;
  const ConfigNode* const timings = hbm->find("timings");
  if (timings == nullptr) return;
  ConfigNode set = load_yaml(find_file(*timings, "hbm.timings", root, "memory"));
  drop_description(set);
  *hbm = merge(std::move(set), *hbm);
}

bool names_preset(const std::string& set) { return set.starts_with("pod=") || set.starts_with("chip="); }

}  // namespace

ConfigDocument resolve(ConfigDocument document, const fs::path& root, const std::vector<std::string>& sets) {
  // Which presets to lay under the document must be known before the rest of --set can be applied on top.
  for (const std::string& set : sets) {
    if (names_preset(set)) apply_set(document, set);
  }
  document = lay_over_presets(std::move(document), "pod", root);
  document = lay_over_presets(std::move(document), "chip", root);
  for (const std::string& set : sets) {
    if (!names_preset(set)) apply_set(document, set);
  }
  lay_over_timings(document, root);
  return document;
}

ConfigDocument load(const fs::path& path, const fs::path& root, const std::vector<std::string>& sets) {
  return resolve(load_yaml(path), root, sets);
}

ConfigDocument load_pod(const std::string& name, const fs::path& root, const std::vector<std::string>& sets) {
  ConfigNode reference;
  reference.kind = ConfigNode::Kind::kScalar;
  reference.mark.source = std::make_shared<const std::string>("--pod " + name);
  reference.text = name;
  ConfigDocument document = load(find_preset(reference, "pod", root), root, sets);
  document.erase("pod");
  document.entries.push_back({"pod", reference.mark, reference});
  return document;
}

std::vector<std::string> preset_names(const fs::path& root, const std::string& kind) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "configs" / kind, error)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace podsim::config
