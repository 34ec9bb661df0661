#include "platform/run/program_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/config/config_error.h"
#include "platform/config/scalar_parsers.h"
#include "platform/config/suggestion.h"
#include "platform/run/known_names.h"

namespace podsim::run {

using config::ConfigError;
using config::ConfigNode;
using config::join_key;

const firmware::Program& read_program_name(const ConfigNode& step, const std::string& step_key) {
  const ConfigNode& name = *step.find("program");
  const firmware::Program* const program = firmware::find_program(name.text);
  if (program != nullptr) return *program;
  throw ConfigError(
      name.mark, join_key(step_key, "program"),
      fmt::format("there is no program '{}'{}", name.text, config::suggestion(name.text, program_names())));
}

std::vector<std::int64_t> read_parameters(const firmware::Program& program, const ConfigNode& step,
                                          const std::string& step_key) {
  std::vector<std::int64_t> values;
  for (const firmware::ProgramParameter& each : program.parameters) values.push_back(each.value);
  const ConfigNode* const given = step.find("parameters");
  if (given == nullptr || given->kind == ConfigNode::Kind::kNull) return values;
  if (given->kind != ConfigNode::Kind::kMap) {
    throw ConfigError(given->mark, join_key(step_key, "parameters"),
                      fmt::format("expected numbers by name such as {{rounds: 3}}, got {}", given->describe()));
  }
  for (const config::ConfigEntry& entry : given->entries) {
    const auto known = std::find_if(program.parameters.begin(), program.parameters.end(),
                                    [&](const firmware::ProgramParameter& each) { return each.name == entry.key; });
    const std::string key = join_key(join_key(step_key, "parameters"), entry.key);
    if (known == program.parameters.end()) {
      std::vector<std::string> names;
      for (const firmware::ProgramParameter& each : program.parameters) names.emplace_back(each.name);
      throw ConfigError(
          entry.key_mark, key,
          fmt::format("program '{}' has no such parameter{}", program.name, config::suggestion(entry.key, names)));
    }
    if (entry.value.kind != ConfigNode::Kind::kScalar) {
      throw ConfigError(entry.value.mark, key, fmt::format("expected a whole number, got {}", entry.value.describe()));
    }
    const auto value = config::parse_integer(entry.value.text, known->least, known->most);
    if (!value.value) throw ConfigError(entry.value.mark, key, value.error);
    values[static_cast<std::size_t>(known - program.parameters.begin())] = *value.value;
  }
  return values;
}

}  // namespace podsim::run
