// Reference figures that single blocks are held against: the files of tests/reference, a table each. No pod is built.
#pragma once

#include <filesystem>

#include "platform/validate/reference.h"

namespace podsim::validate {

// Cycles of matrix products on systolic arrays: SCALE-Sim v3. `folder`: where the files are. Throw ConfigError.
[[nodiscard]] Table systolic_table(const std::filesystem::path& folder);
// Bandwidth of PCIe links: the public pcie-model.
[[nodiscard]] Table pcie_table(const std::filesystem::path& folder);

}  // namespace podsim::validate
