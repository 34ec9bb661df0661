#include "tests/support/yaml_files.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "platform/config/layers.h"
#include "platform/config/memory_fields.h"
#include "platform/config/pod_reader.h"
#include "platform/config/section_reader.h"
#include "platform/config/yaml_document.h"
#include "platform/run/run_file.h"
#include "platform/study/study_file.h"
#include "platform/validate/run_cases.h"

namespace podsim::testing {

namespace fs = std::filesystem;
using config::ConfigNode;

namespace {

// A chip is read as part of a pod, DRAM timings as part of a chip's HBM.
void add(ConfigNode& document, const std::string& text) {
  for (config::ConfigEntry& entry : config::parse_yaml(text, "test").entries) {
    if (document.find(entry.key) == nullptr) document.entries.push_back(std::move(entry));
  }
}

}  // namespace

std::vector<fs::path> files_of(const std::string& kind, const fs::path& root) {
  // Chips are in chips/ and, those of validation cases, in validation/chips/.
  const std::string folder = kind == "chip"                   ? ""
                             : kind == "pod" || kind == "run" ? kind + "s"
                             : kind == "study"                ? "studies"
                                                              : kind;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root / "configs" / folder)) {
    const bool is_chip = entry.path().parent_path().filename() == "chips";
    if (entry.path().extension() == ".yaml" && is_chip == (kind == "chip")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void read_as(const std::string& kind, ConfigNode document, const fs::path& root) {
  if (document.kind != ConfigNode::Kind::kMap) {
    throw config::ConfigError(document.mark, {}, "expected sections, got " + document.describe());
  }
  if (kind == "chip") {
    add(document, "topology: {axes: [{name: x, size: 1}]}");
    (void)config::read_pod(config::resolve(std::move(document), root));
  } else if (kind == "memory") {
    const ConfigNode* const description = document.find("description");
    if (description != nullptr && description->items.empty() && description->entries.empty()) {
      document.erase("description");
    }
    add(document, "{capacity: 1 GiB, bandwidth: 256 GB/s, stacks: 1}");
    (void)config::read<memory::HbmConfig>(document);
  } else if (kind == "pod") {
    const config::SourceMark mark = document.mark;
    (void)run::checked_shape(config::read_pod(config::resolve(std::move(document), root)), mark);
  } else if (kind == "run") {
    (void)run::read_run(config::resolve(std::move(document), root));
  } else if (kind == "study") {
    (void)study::read_study(document, root / "configs" / "studies");
  } else if (kind == "validation") {
    (void)validate::read_run_cases(document, root);
  } else {
    throw std::logic_error("no reader for " + kind);
  }
}

}  // namespace podsim::testing
