#include "platform/cli/list_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "firmware/collectives/algorithm.h"
#include "firmware/programs/programs.h"
#include "firmware/workloads/workload.h"
#include "platform/cli/options.h"
#include "platform/cli/project_root.h"
#include "platform/config/layers.h"
#include "platform/config/suggestion.h"
#include "platform/config/yaml_document.h"

namespace podsim::cli {

namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;  // name, description

std::string description_of(const std::filesystem::path& file) {
  try {
    const config::ConfigNode document = config::load_yaml(file);
    const config::ConfigNode* description = document.find("description");
    return description == nullptr ? "" : description->text;
  } catch (const config::ConfigError& error) {
    return fmt::format("(can't be read: {})", error.message());  // the others are still worth listing
  }
}

Entries presets(const std::string& kind) {
  const std::filesystem::path root = find_project_root();
  Entries entries;
  for (const std::string& name : config::preset_names(root, kind)) {
    entries.emplace_back(name, description_of(root / "configs" / kind / (name + ".yaml")));
  }
  return entries;
}

Entries programs() {
  Entries entries;
  for (const firmware::Program& program : firmware::programs()) entries.emplace_back(program.name, program.description);
  return entries;
}

Entries workloads() {
  Entries entries;
  for (const firmware::Workload& workload : firmware::workloads()) {
    entries.emplace_back(workload.name, workload.description);
  }
  return entries;
}

Entries models() {
  Entries entries;
  for (const firmware::ModelShape& model : firmware::model_shapes()) {
    entries.emplace_back(
        model.name,
        fmt::format("{} layers of width {}, hidden {}, {} heads, {} of keys{}", model.layers, model.model, model.hidden,
                    model.heads, model.kv_heads,
                    model.experts > 1 ? fmt::format(", {} experts, {} a token", model.experts, model.chosen) : ""));
  }
  return entries;
}

Entries algorithms() {
  Entries entries;
  for (const firmware::AlgorithmInfo& algorithm : firmware::algorithms()) {
    std::vector<std::string_view> kinds;
    for (unsigned i = 0; i < firmware::kCollectiveKinds; ++i) {
      const auto kind = static_cast<firmware::CollectiveKind>(i);
      if (algorithm.serves(kind)) kinds.push_back(firmware::collective_name(kind));
    }
    entries.emplace_back(algorithm.name, fmt::format("{} ({})", algorithm.description, fmt::join(kinds, ", ")));
  }
  return entries;
}

}  // namespace

ListCommand::ListCommand(CLI::App& parent)
    : Command(parent, "list", "List pods, chips, programs, algorithms, workloads or models",
              "Examples:\n  podsim list pods\n  podsim list algorithms") {
  app().add_option("WHAT", what_, "pods, chips, programs, algorithms, workloads or models")->required()->type_name("");
}

int ListCommand::execute(Output& out) {
  Entries entries;
  if (what_ == "pods" || what_ == "chips") {
    entries = presets(what_);
  } else if (what_ == "programs") {
    entries = programs();
  } else if (what_ == "algorithms") {
    entries = algorithms();
  } else if (what_ == "workloads") {
    entries = workloads();
  } else if (what_ == "models") {
    entries = models();
  } else {
    throw config::ConfigError(
        option_mark("list", what_), {},
        fmt::format("there is no list of '{}'{}", what_,
                    config::suggestion(what_, {"pods", "chips", "programs", "algorithms", "workloads", "models"})));
  }
  std::size_t width = 0;
  for (const auto& [name, description] : entries) width = std::max(width, name.size());
  std::string text;
  for (const auto& [name, description] : entries) {
    text += description.empty() ? name + '\n' : fmt::format("{:<{}}  {}\n", name, width, description);
  }
  out.print(text);
  return 0;
}

}  // namespace podsim::cli
