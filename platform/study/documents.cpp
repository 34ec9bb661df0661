#include "platform/study/documents.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include "platform/config/layers.h"
#include "platform/config/scalar_parsers.h"
#include "platform/run/run_path.h"
#include "platform/study/content_address.h"

namespace podsim::study {

namespace {

using config::ConfigNode;

bool names_files(const std::string& set) {
  for (const std::string_view key : {"pod=", "chip=", "hbm.timings=", "hbm=", "topology"}) {
    if (set.starts_with(key)) return true;
  }
  return false;
}

std::optional<std::uint64_t> whole(const ConfigNode* node) {
  if (node == nullptr) return std::nullopt;
  return config::parse_unsigned(node->text, 1u << 30).value;
}

std::optional<std::uint64_t> count_chips(const ConfigNode& document) {
  const ConfigNode* const topology = document.find("topology");
  if (topology == nullptr) return std::nullopt;
  if (const auto listed = whole(topology->find("chips"))) return listed;
  const ConfigNode* const axes = topology->find("axes");
  if (axes == nullptr || axes->items.empty()) return std::nullopt;
  std::uint64_t chips = 1;
  for (const ConfigNode& axis : axes->items) {
    const auto size = whole(axis.find("size"));
    if (!size) return std::nullopt;
    chips *= *size;
  }
  return chips;
}

}  // namespace

const Documents::Facts& Documents::facts(const PointCommand& command) {
  std::vector<std::string> key{command.arguments[0], command.arguments[1], command.pod};
  std::vector<std::string> sets;
  std::copy_if(command.sets.begin(), command.sets.end(), std::back_inserter(sets), names_files);
  key.insert(key.end(), sets.begin(), sets.end());
  const auto [found, is_new] = known_.try_emplace(key);
  if (!is_new) return found->second;
  Digest digest;
  try {
    const ConfigNode document = command.arguments[0] == "run"
                                    ? config::load(run::find_run_file(command.arguments[1], root_, {}), root_, sets)
                                    : config::load_pod(command.pod, root_, sets);
    digest.add(document);
    found->second.chips = count_chips(document);
  } catch (const config::ConfigError& error) {  // the point's own run will say so
    digest.add(error.what());
  }
  found->second.digest = digest.hex();
  return found->second;
}

std::optional<std::uint64_t> Documents::chips(const PointCommand& command) { return facts(command).chips; }

std::string Documents::address(const PointCommand& command) {
  Digest digest;
  digest.add(build_);
  digest.add(facts(command).digest);
  for (const std::string& argument : command.arguments) digest.add(argument);
  return digest.hex();
}

}  // namespace podsim::study
