#include "platform/run/permute_pairs.h"

#include <fmt/format.h>

#include <optional>

#include "platform/config/scalar_parsers.h"

namespace podsim::run {

namespace {

using config::ConfigError;
using config::ConfigNode;
using config::join_key;

std::uint32_t read_number(const ConfigNode& node, const std::string& key, std::uint32_t size, const std::string& of) {
  if (node.kind != ConfigNode::Kind::kScalar) {
    throw ConfigError(node.mark, key, fmt::format("expected a whole number, got {}", node.describe()));
  }
  const auto parsed = config::parse_unsigned(node.text, ~std::uint64_t{0});
  if (!parsed.value) throw ConfigError(node.mark, key, parsed.error);
  if (*parsed.value >= size) {
    throw ConfigError(node.mark, key, fmt::format("{} is out of range: {} 0 to {}", *parsed.value, of, size - 1));
  }
  return static_cast<std::uint32_t>(*parsed.value);
}

}  // namespace

ChipId read_chip(const ConfigNode& node, const std::string& key, const ici::TorusShape& torus) {
  if (node.kind == ConfigNode::Kind::kScalar) {
    return static_cast<ChipId>(read_number(node, key, torus.chips(), "the pod has chips"));
  }
  if (node.kind != ConfigNode::Kind::kList || node.items.size() != torus.axes()) {
    throw ConfigError(node.mark, key,
                      fmt::format("expected a chip: a number, or {} coordinates such as [{}]", torus.axes(),
                                  fmt::join(std::vector<int>(torus.axes(), 0), ", ")));
  }
  ici::Coordinates coordinates{};
  for (unsigned i = 0; i < torus.axes(); ++i) {
    const ici::AxisShape& axis = torus.axis(static_cast<ici::Axis>(i));
    coordinates[i] = read_number(node.items[i], join_key(key, std::to_string(i)), axis.size,
                                 fmt::format("axis {} has coordinates", axis.name));
  }
  return torus.chip_at(coordinates);
}

ChipPairs read_pairs(const ConfigNode& node, const std::string& key, const ici::TorusShape& torus) {
  if (node.kind != ConfigNode::Kind::kList) {
    throw ConfigError(node.mark, key, fmt::format("expected a list such as [[0, 1], [1, 0]], got {}", node.describe()));
  }
  ChipPairs pairs;
  std::vector<bool> is_source(torus.chips()), is_target(torus.chips());
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const ConfigNode& pair = node.items[i];
    const std::string pair_key = join_key(key, std::to_string(i));
    if (pair.kind != ConfigNode::Kind::kList || pair.items.size() != 2) {
      throw ConfigError(pair.mark, pair_key, "expected [source, target]");
    }
    const ChipId source = read_chip(pair.items[0], join_key(pair_key, "0"), torus);
    const ChipId target = read_chip(pair.items[1], join_key(pair_key, "1"), torus);
    const auto claim = [&](std::vector<bool>& taken, ChipId chip, const char* role) {
      if (taken[index(chip)]) {
        throw ConfigError(pair.mark, pair_key,
                          fmt::format("chip {} {} is a {} twice", index(chip), torus.place(chip), role));
      }
      taken[index(chip)] = true;
    };
    claim(is_source, source, "source");
    claim(is_target, target, "target");
    pairs.emplace_back(source, target);
  }
  return pairs;
}

ChipPairs shifted_pairs(const std::vector<int>& shift, const ici::TorusShape& torus) {
  ChipPairs pairs;
  for (std::uint32_t i = 0; i < torus.chips(); ++i) {
    const auto source = static_cast<ChipId>(i);
    ici::Coordinates place = torus.coordinates(source);
    for (unsigned a = 0; a < torus.axes(); ++a) {
      const auto size = static_cast<std::int64_t>(torus.axis(static_cast<ici::Axis>(a)).size);
      place[a] = static_cast<std::uint32_t>(((place[a] + std::int64_t{shift[a]}) % size + size) % size);
    }
    pairs.emplace_back(source, torus.chip_at(place));
  }
  return pairs;
}

}  // namespace podsim::run
