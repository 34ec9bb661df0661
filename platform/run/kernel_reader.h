// Makes a kernel's call of what a run file says of it.
#pragma once

#include <optional>
#include <string>

#include "firmware/kernels/kernel_call.h"
#include "platform/config/config_node.h"
#include "platform/run/run_fields.h"

namespace podsim::run {

// The kernel of `entries`, if there is one. `node` is the step that it stands in, `key` the step's path. Throws
// ConfigError.
[[nodiscard]] std::optional<firmware::KernelCall> read_kernel(const KernelEntries& entries,
                                                              const config::ConfigNode& node, const std::string& key);

}  // namespace podsim::run
