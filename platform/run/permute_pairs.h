// The `pairs` of a collective-permute: a list of [source, target], each a chip's number or its list of coordinates.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/ici/torus.h"
#include "platform/config/config_node.h"

namespace podsim::run {

using ChipPairs = std::vector<std::pair<ChipId, ChipId>>;

// `key` is the path of `node`. Throws ConfigError when a pair is none, a chip is not in the pod, or a chip is twice a
// source or twice a target.
[[nodiscard]] ChipPairs read_pairs(const config::ConfigNode& node, const std::string& key,
                                   const ici::TorusShape& torus);

// Every chip to the one that is `shift[axis]` places further on each axis, round the axis.
[[nodiscard]] ChipPairs shifted_pairs(const std::vector<int>& shift, const ici::TorusShape& torus);

// A chip: its number, or its coordinates. Throws ConfigError when it is not in the pod.
[[nodiscard]] ChipId read_chip(const config::ConfigNode& node, const std::string& key, const ici::TorusShape& torus);

}  // namespace podsim::run
