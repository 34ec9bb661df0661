#include "platform/run/chip_list.h"

#include <fmt/format.h>

#include "platform/run/permute_pairs.h"

namespace podsim::run {

std::vector<bool> read_chip_list(const config::ConfigNode& section, const std::string& key,
                                 const ici::TorusShape& torus) {
  const config::ConfigNode* const only = section.find("chips");
  const config::ConfigNode* const except = section.find("except");
  if (only == nullptr && except == nullptr) return {};
  const std::string path = config::join_key(key, only != nullptr && except == nullptr ? "chips" : "except");
  if (only != nullptr && except != nullptr) throw config::ConfigError(except->mark, path, "can't stand beside 'chips'");
  const config::ConfigNode& list = only != nullptr ? *only : *except;
  if (list.kind != config::ConfigNode::Kind::kList) {
    throw config::ConfigError(list.mark, path,
                              fmt::format("expected a list of chips such as [0, 3], got {}", list.describe()));
  }
  std::vector<bool> takes_part(torus.chips(), only == nullptr);
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const ChipId chip = read_chip(list.items[i], config::join_key(path, std::to_string(i)), torus);
    takes_part[index(chip)] = only != nullptr;
  }
  return takes_part;
}

}  // namespace podsim::run
