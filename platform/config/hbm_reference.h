// The HBM of a row in tests/reference/hbm_bandwidth.csv or hbm_dramsys.csv: timings from configs/memory, and mapping,
// refresh and queues as the row's name says. For comparisons with what others have measured
// (models/memory/hbm_trial.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "models/memory/hbm_config.h"

namespace podsim::config {

// A chip's memory with the set of timings configs/memory/<name>.yaml under `root` and defaults for the rest. Throws
// ConfigError.
[[nodiscard]] memory::HbmConfig read_hbm(const std::string& timings, Bandwidth bandwidth, ByteSize capacity,
                                         const std::filesystem::path& root);

// `name` is "Ramulator2.1-HBM3-row-ab-q64", "DRAMsim3-HBM2pc-fine", ... (hbm_bandwidth.csv, column config), or
// "DRAMSys-<mapping>-<refresh>" with those columns of hbm_dramsys.csv, such as "DRAMSys-fine-allbank". Nothing for a
// mapping that can't be expressed (MOP4CLXOR combines fields by exclusive or). Throws ConfigError.
[[nodiscard]] std::optional<memory::HbmConfig> hbm_reference(const std::string& name,
                                                             const std::filesystem::path& root);

}  // namespace podsim::config
