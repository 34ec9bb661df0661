// The chips that take part in something: `chips: [0, 3]` or `except: [[1, 1]]`.
#pragma once

#include <string>
#include <vector>

#include "models/ici/torus.h"
#include "platform/config/config_node.h"

namespace podsim::run {

// By chip; empty where the section has neither key: all. `key` is the section's path. Throws ConfigError.
[[nodiscard]] std::vector<bool> read_chip_list(const config::ConfigNode& section, const std::string& key,
                                               const ici::TorusShape& torus);

}  // namespace podsim::run
