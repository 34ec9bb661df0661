// Reference figures that single blocks are held against: the files of tests/reference, a table each. No pod is built.
#pragma once

#include <filesystem>

#include "platform/validate/open_table.h"

namespace podsim::validate {

// Cycles of matrix products on systolic arrays: SCALE-Sim v3. `folder`: where the files are. Throw ConfigError.
[[nodiscard]] OpenTable systolic_table(const std::filesystem::path& folder);
// Bandwidth of PCIe links: the public pcie-model.
[[nodiscard]] OpenTable pcie_table(const std::filesystem::path& folder);
// Share of its peak that an HBM reaches: DRAMsim3, Ramulator 2.1, DRAMSys, at both levels of the model. `root`: where
// configs/memory is.
[[nodiscard]] OpenTable hbm_table(const std::filesystem::path& folder, const std::filesystem::path& root);

}  // namespace podsim::validate
