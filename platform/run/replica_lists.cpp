#include "platform/run/replica_lists.h"

#include <fmt/format.h>

#include "firmware/device/errors.h"
#include "platform/run/permute_pairs.h"

namespace podsim::run {

using config::ConfigError;
using config::ConfigNode;
using config::join_key;

std::shared_ptr<const firmware::ReplicaGroups> read_groups(const ConfigNode& node, const std::string& key,
                                                           const ici::TorusShape& torus) {
  if (node.kind != ConfigNode::Kind::kList || node.items.empty()) {
    throw ConfigError(node.mark, key, fmt::format("expected groups such as [[0, 2], [1, 3]], got {}", node.describe()));
  }
  std::vector<std::vector<ChipId>> lists;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const ConfigNode& list = node.items[i];
    const std::string list_key = join_key(key, std::to_string(i));
    if (list.kind != ConfigNode::Kind::kList) {
      throw ConfigError(list.mark, list_key, fmt::format("expected a list of chips, got {}", list.describe()));
    }
    lists.emplace_back();
    for (std::size_t j = 0; j < list.items.size(); ++j) {
      lists.back().push_back(read_chip(list.items[j], join_key(list_key, std::to_string(j)), torus));
    }
  }
  try {
    return std::make_shared<const firmware::ReplicaGroups>(torus, lists);
  } catch (const firmware::ProgramError& error) {
    throw ConfigError(node.mark, key, error.what());
  }
}

}  // namespace podsim::run
