// The pod of this process.
#pragma once

#include "platform/config/config_error.h"
#include "platform/pod/pod.h"

namespace podsim::cli {

// Builds a pod that lives until the process ends: SystemC builds one simulation a process, and on a module's
// destruction searches lists of all ports and exports, so that taking a pod of 9,216 chips down would cost a minute
// where building it costs a second. What a block refuses about its configuration becomes a ConfigError at `mark`.
[[nodiscard]] pod::Pod& build_process_pod(const pod::PodConfig& config, bool with_data, pod::Extent extent,
                                          const config::SourceMark& mark);

}  // namespace podsim::cli
