// The `groups` of a collective: lists of chips, each a chip's number or its list of coordinates.
#pragma once

#include <memory>
#include <string>

#include "firmware/collectives/replica_groups.h"
#include "models/ici/torus.h"
#include "platform/config/config_node.h"

namespace podsim::run {

// `key` is the path of `node`. Throws ConfigError when a list is none or empty, or a chip is not in the pod or listed
// twice.
[[nodiscard]] std::shared_ptr<const firmware::ReplicaGroups> read_groups(const config::ConfigNode& node,
                                                                         const std::string& key,
                                                                         const ici::TorusShape& torus);

}  // namespace podsim::run
