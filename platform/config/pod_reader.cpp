#include "platform/config/pod_reader.h"

#include <memory>

#include "platform/config/pod_fields.h"
#include "platform/config/section_reader.h"
#include "platform/config/yaml_document.h"

namespace podsim::config {

pod::PodConfig read_pod(const ConfigDocument& document) { return read<pod::PodConfig>(document); }

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
