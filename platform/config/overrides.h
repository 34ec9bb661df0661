// `--set a.b.c=VALUE`: a change to a document from the command line. The value is YAML, so lists and quoted text work.
// The changed keys carry the argument as their place, so that errors point at it.
#pragma once

#include <string>
#include <vector>

#include "platform/config/config_node.h"

namespace podsim::config {

// Applies "a.b.c=VALUE" to `root`. Sections on the way that are not there yet are made (a misspelt one is then refused
// by the reader, with a suggestion); a list's elements are chosen by number, from 0: "links.0.latency=2 us". Throws
// ConfigError when the argument has no such form, the value is no YAML, or the path leads through a plain value.
void apply_set(ConfigNode& root, const std::string& argument);
void apply_sets(ConfigNode& root, const std::vector<std::string>& arguments);

}  // namespace podsim::config
