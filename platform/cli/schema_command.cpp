#include "platform/cli/schema_command.h"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "platform/cli/options.h"
#include "platform/cli/project_root.h"
#include "platform/config/layers.h"
#include "platform/config/suggestion.h"
#include "platform/report/json_layout.h"
#include "platform/schema/kinds.h"
#include "platform/schema/markdown.h"

namespace podsim::cli {

namespace {

const schema::Kind& find(const std::string& name) {
  if (const schema::Kind* const kind = schema::find_kind(name)) return *kind;
  std::vector<std::string> known;
  for (const schema::Kind& kind : schema::kinds()) known.emplace_back(kind.name);
  throw config::ConfigError(option_mark("schema", name), {},
                            "there is no such kind of file" + config::suggestion(name, known));
}

// With the presets that are there, for editors to offer.
nlohmann::ordered_json with_presets(const schema::Kind& kind) {
  nlohmann::ordered_json schema = schema::schema_of(kind);
  const std::filesystem::path root = find_project_root();
  for (const std::string key : {"chip", "pod"}) {
    if (schema["properties"].contains(key))
      schema["properties"][key]["examples"] = config::preset_names(root, key + "s");
  }
  return schema;
}

std::string list() {
  std::string text;
  for (const schema::Kind& kind : schema::kinds()) text += fmt::format("{:<11} {}\n", kind.name, kind.files);
  return text;
}

}  // namespace

SchemaCommand::SchemaCommand(CLI::App& parent)
    : Command(
          parent, "schema", "Print what a kind of YAML file may hold, as JSON Schema",
          "Examples:\n"
          "  podsim schema --list                        the kinds of file\n"
          "  podsim schema run > run.schema.json         then '# yaml-language-server: $schema=run.schema.json' as\n"
          "                                              a run file's first line, for editors to check and complete\n"
          "  podsim schema run --markdown                the same to be read; it is docs/reference/run.md\n"
          "\n"
          "Without KIND, one JSON object with the schemas of all kinds by name.") {
  app().add_option("KIND", kind_, "Kind of file")->type_name("");
  CLI::Option* const list = app().add_flag("--list", list_, "List the kinds, and where podsim's own files are");
  app()
      .add_flag("--markdown", markdown_,
                "Print a page of reference instead; without KIND the page that lists the pages")
      ->excludes(list);
}

int SchemaCommand::execute(Output& out) {
  if (list_) {
    if (!kind_.empty()) throw config::ConfigError(option_mark("--list", kind_), {}, "takes no KIND");
    out.print(list());
    return 0;
  }
  if (markdown_) {
    out.print(kind_.empty() ? schema::contents() : schema::page(find(kind_)));
    return 0;
  }
  nlohmann::ordered_json json;
  if (!kind_.empty()) {
    json = with_presets(find(kind_));
  } else {
    for (const schema::Kind& kind : schema::kinds()) json[std::string(kind.name)] = with_presets(kind);
  }
  std::ostringstream text;
  report::write_json(text, json);
  out.print(text.str() + '\n');
  return 0;
}

}  // namespace podsim::cli
