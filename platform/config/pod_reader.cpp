#include "platform/config/pod_reader.h"

#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "platform/config/pod_fields.h"
#include "platform/config/section_reader.h"
#include "platform/config/yaml_document.h"
#include "platform/pod/link_plan.h"
#include "platform/pod/pod.h"

namespace podsim::config {

pod::PodConfig read_pod(const ConfigDocument& document) {
  pod::PodConfig pod = read<pod::PodConfig>(document);
  check_topology(pod, document);
  check_links(pod, document);
  return pod;
}

void check_topology(const pod::PodConfig& pod, const ConfigNode& document) {
  if (pod.topology.links.empty()) return;
  const ConfigNode& links = *document.find("topology")->find("links");
  try {
    (void)pod::torus_shape(pod);
  } catch (const ici::ListedLinkError& error) {
    throw ConfigError(links.items[error.entry()].mark, fmt::format("topology.links.{}", error.entry()), error.what());
  } catch (const std::invalid_argument& error) {
    throw ConfigError(links.mark, "topology.links", error.what());
  }
}

void check_links(const pod::PodConfig& pod, const ConfigNode& document) {
  try {
    (void)pod::LinkPlan(pod, pod::torus_shape(pod));
  } catch (const pod::LinkError& error) {
    const ConfigNode& entry = document.find("ici")->find("links")->items[error.entry()];
    const ConfigNode* node = error.key().empty() ? nullptr : entry.find(error.key());
    const std::string path = fmt::format("ici.links.{}", error.entry());
    throw ConfigError(node ? node->mark : entry.mark, error.key().empty() ? path : join_key(path, error.key()),
                      error.message());
  } catch (const std::invalid_argument&) {
  }
}

pod::PodConfig read_chip(const std::string& name, const std::filesystem::path& root) {
  ConfigDocument document = parse_yaml("topology: {axes: [{name: x, size: 1}]}", "one chip");
  ConfigEntry chip{"chip", {std::make_shared<const std::string>("chip"), 0, 0}, {}};
  chip.value.kind = ConfigNode::Kind::kScalar;
  chip.value.mark = chip.key_mark;
  chip.value.text = name;
  document.entries.push_back(std::move(chip));
  return read_pod(resolve(std::move(document), root));
}

std::vector<EffectiveKey> list_keys(const pod::PodConfig& pod) { return effective_keys(pod); }

}  // namespace podsim::config
