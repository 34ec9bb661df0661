#include "platform/study/pod_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "platform/config/layers.h"
#include "platform/config/scalar_parsers.h"
#include "platform/config/suggestion.h"

namespace podsim::study {

namespace {

using config::ConfigNode;
using Sizes = std::vector<std::uint64_t>;

struct Preset {
  std::string name;
  std::vector<std::string> axes;
  Sizes sizes;  // ascending, since a pod's shape does not depend on which axis is which
};

std::uint64_t product(const Sizes& sizes) {
  std::uint64_t all = 1;
  for (const std::uint64_t size : sizes) all *= size;
  return all;
}

std::vector<Preset> presets_of(const std::string& chip, const std::filesystem::path& root) {
  std::vector<Preset> presets;
  for (const std::string& name : config::preset_names(root, "pods")) {
    const ConfigNode document = config::load_pod(name, root);
    const ConfigNode* const of = document.find("chip");
    const ConfigNode* const topology = document.find("topology");
    if (of == nullptr || of->text != chip || topology == nullptr) continue;
    const ConfigNode* const axes = topology->find("axes");
    const ConfigNode* const twist = topology->find("twist");
    if (axes == nullptr || (twist != nullptr && twist->text == "true")) continue;
    Preset preset{name, {}, {}};
    for (const ConfigNode& axis : axes->items) {
      const ConfigNode* const size = axis.find("size");
      const ConfigNode* const axis_name = axis.find("name");
      if (size == nullptr || axis_name == nullptr) continue;
      preset.sizes.push_back(config::parse_unsigned(size->text, 1u << 20).value.value_or(1));
      preset.axes.push_back(axis_name->text);
    }
    std::sort(preset.sizes.begin(), preset.sizes.end());
    presets.push_back(std::move(preset));
  }
  std::stable_sort(presets.begin(), presets.end(),
                   [](const Preset& a, const Preset& b) { return product(a.sizes) < product(b.sizes); });
  return presets;
}

// The shape with its shortest axis doubled that still fits into `most`; empty if none does.
Sizes doubled(const Sizes& sizes, const Sizes& most) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Sizes next = sizes;
    next[i] *= 2;
    std::sort(next.begin(), next.end());
    bool fits = true;
    for (std::size_t a = 0; a < next.size(); ++a) fits = fits && next[a] <= most[a];
    if (fits) return next;
  }
  return {};
}

PodShape made_up(const Sizes& sizes, const std::string& chip, const Preset& largest) {
  std::string axes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    axes += fmt::format("{}{{name: {}, size: {}}}", i > 0 ? ", " : "", largest.axes[i], sizes[i]);
  }
  return {fmt::format("{}-{}", chip, fmt::join(sizes, "x")),
          product(sizes),
          {{"pod", largest.name}, {"topology.axes", '[' + axes + ']'}}};
}

}  // namespace

std::string find_chip(const std::string& name, const std::filesystem::path& root, const config::SourceMark& mark) {
  const std::vector<std::string> chips = config::preset_names(root, "chips");
  for (const std::string& candidate : {name, "tpu-" + name, "tpu" + name}) {
    if (std::find(chips.begin(), chips.end(), candidate) != chips.end()) return candidate;
  }
  throw config::ConfigError(mark, {}, fmt::format("no chip '{}'{}", name, config::suggestion(name, chips)));
}

std::vector<PodShape> pod_shapes(const std::string& chip, const std::filesystem::path& root) {
  const std::vector<Preset> presets = presets_of(chip, root);
  if (presets.empty()) return {};
  std::map<Sizes, PodShape> shapes;
  for (const Preset& preset : presets) {
    shapes.emplace(preset.sizes, PodShape{preset.name, product(preset.sizes), {{"pod", preset.name}}});
  }
  const Preset& largest = presets.back();
  const bool alike = presets.front().sizes.size() == largest.sizes.size();
  for (Sizes sizes = alike ? presets.front().sizes : Sizes(); !sizes.empty(); sizes = doubled(sizes, largest.sizes)) {
    if (!shapes.contains(sizes)) shapes.emplace(sizes, made_up(sizes, chip, largest));
  }
  std::vector<PodShape> result;
  for (const auto& shape : shapes) result.push_back(shape.second);
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.chips < b.chips; });
  return result;
}

}  // namespace podsim::study
