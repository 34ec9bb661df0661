// The YAML files that podsim has with it, by kind, and the reader of each kind.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/config/config_node.h"

namespace podsim::testing {

// Those in configs/ under `root`, sorted. `kind`: a name of platform/schema/kinds.h.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const std::string& kind, const std::filesystem::path& root);

// Reads a document as podsim reads files of that kind, presets under `root` included. Throws ConfigError.
void read_as(const std::string& kind, config::ConfigNode document, const std::filesystem::path& root);

}  // namespace podsim::testing
