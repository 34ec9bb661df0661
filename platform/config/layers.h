// Layering. A run file names a pod (`pod: tpu-v5e-4x4`), a pod file names a chip (`chip: tpu-v5e`); each may override
// any key of the layer below under the same section names, and --set overrides them all:
//
//   configs/chips/tpu-v5e.yaml  <  configs/pods/tpu-v5e-4x4.yaml  <  run.yaml  <  --set
//
// A preset is found by name in <root>/configs/chips or <root>/configs/pods; a name with a '/' or ending in .yaml is a
// path, relative to the file that gives it. A pod may build on another pod, a chip on another chip. `description`
// describes one file and is not inherited. `hbm.timings` names a set of DRAM timings in <root>/configs/memory in the
// same way; its keys are those of `hbm`, below all layers, whichever of them names it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/config/config_node.h"

namespace podsim::config {

using ConfigDocument = ConfigNode;

// The document of `path` laid over its presets, with the --set arguments on top. Throws ConfigError.
[[nodiscard]] ConfigDocument load(const std::filesystem::path& path, const std::filesystem::path& root,
                                  const std::vector<std::string>& sets = {});

// The same for a pod given by name or path, as a command line does: `--pod tpu-v5e-4x4`.
[[nodiscard]] ConfigDocument load_pod(const std::string& name, const std::filesystem::path& root,
                                      const std::vector<std::string>& sets = {});

// The same for any document in memory, such as one from parse_yaml.
[[nodiscard]] ConfigDocument resolve(ConfigDocument document, const std::filesystem::path& root,
                                     const std::vector<std::string>& sets = {});

// Names of the presets in <root>/configs/<kind> ("chips", "pods"), sorted.
[[nodiscard]] std::vector<std::string> preset_names(const std::filesystem::path& root, const std::string& kind);

}  // namespace podsim::config
