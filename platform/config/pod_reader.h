// Pods and chips from their documents. The one place that instantiates the readers of the blocks' configs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/config/effective_config.h"
#include "platform/config/layers.h"
#include "platform/pod/pod_config.h"

namespace podsim::config {

// The pod that a layered document (layers.h) describes. Throws ConfigError with all that is wrong.
[[nodiscard]] pod::PodConfig read_pod(const ConfigDocument& document);

// What is wrong with a topology's list of links, with the place in the document. Throws ConfigError.
void check_topology(const pod::PodConfig& pod, const ConfigNode& document);

// What pod::LinkPlan finds wrong in ici.links, with the place in the document. Throws ConfigError. A document whose
// topology describes no pod passes: that is pod::check's to say.
void check_links(const pod::PodConfig& pod, const ConfigNode& document);

// The preset configs/chips/<name>.yaml under `root`, as a pod of that one chip. Throws ConfigError.
[[nodiscard]] pod::PodConfig read_chip(const std::string& name, const std::filesystem::path& root);

// Every key of the pod with its value and unit.
[[nodiscard]] std::vector<EffectiveKey> list_keys(const pod::PodConfig& pod);

}  // namespace podsim::config
