#include "platform/study/point_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

#include "platform/config/suggestion.h"

namespace podsim::study {

namespace {

struct Option {
  std::string_view key;
  std::vector<std::string_view> options;  // all are given the value; none: the collective itself
};

const std::vector<Option>& common_options() {
  static const std::vector<Option> options{{"fidelity", {"--fidelity"}},
                                           {"data", {"--data"}},
                                           {"time_limit", {"--time-limit"}},
                                           {"checks", {"--checks"}},
                                           {"on_violation", {"--on-violation"}}};
  return options;
}

const std::vector<Option>& own_options(BaseKind kind) {
  static const std::vector<Option> run{{"seed", {"--perturb-seed"}}};
  static const std::vector<Option> bench{{"collective", {}},
                                         {"pod", {"--pod"}},
                                         {"axes", {"--axes"}},
                                         {"size", {"-b", "-e"}},
                                         {"type", {"-d"}},
                                         {"reduction", {"-o"}},
                                         {"iterations", {"-n"}},
                                         {"directions", {"--directions"}},
                                         {"algorithm", {"--algorithm"}},
                                         {"root", {"-r"}},
                                         {"window", {"--window"}},
                                         {"seed", {"--seed"}},
                                         {"chunks", {"--chunks"}}};
  return kind == BaseKind::kRun ? run : bench;
}

// Sections and keys at the top of a pod's or run's document.
std::vector<std::string> document_keys(BaseKind kind) {
  std::vector<std::string> keys{"chip", "scalar_core", "tensor_core", "vmem",     "hbm", "dma",
                                "ici",  "semaphores",  "pcie",        "topology", "host"};
  if (kind == BaseKind::kRun) keys.insert(keys.end(), {"pod", "progress_limit", "steps"});
  return keys;
}

const Option* find_option(BaseKind kind, std::string_view key) {
  for (const std::vector<Option>* options : {&common_options(), &own_options(kind)}) {
    for (const Option& each : *options) {
      if (each.key == key) return &each;
    }
  }
  return nullptr;
}

}  // namespace

Setting parse_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw std::invalid_argument(fmt::format("expected KEY=VALUE, got '{}'", text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::optional<std::string> objection(BaseKind kind, const std::string& key) {
  if (find_option(kind, key) != nullptr) return std::nullopt;
  std::vector<std::string> known = document_keys(kind);
  const std::string section = key.substr(0, key.find('.'));
  if (std::find(known.begin(), known.end(), section) != known.end()) return std::nullopt;
  if (kind == BaseKind::kRun && find_option(BaseKind::kBench, key) != nullptr) {
    return fmt::format("in a run it is a step's: 'steps.0.{}' is the first one's", key);
  }
  for (const std::vector<Option>* options : {&common_options(), &own_options(kind)}) {
    for (const Option& each : *options) known.emplace_back(each.key);
  }
  return fmt::format("no key of a {} begins with '{}'{}", kind == BaseKind::kRun ? "run" : "bench", section,
                     config::suggestion(section, known));
}

PointCommand point_command(const Base& base, const std::vector<Setting>& settings) {
  std::vector<Setting> last;
  for (const Setting& setting : settings) {
    const auto same = std::find_if(last.begin(), last.end(), [&](const Setting& s) { return s.key == setting.key; });
    if (same == last.end()) {
      last.push_back(setting);
    } else {
      same->value = setting.value;
    }
  }
  PointCommand command;
  std::string what = base.what;
  std::vector<std::string> options;
  for (const Setting& setting : last) {
    const Option* const option = find_option(base.kind, setting.key);
    if (option == nullptr) {
      command.sets.push_back(fmt::format("{}={}", setting.key, setting.value));
      options.insert(options.end(), {"--set", command.sets.back()});
      continue;
    }
    if (option->options.empty()) what = setting.value;
    if (setting.key == "pod") command.pod = setting.value;
    for (const std::string_view each : option->options)
      options.insert(options.end(), {std::string(each), setting.value});
  }
  command.arguments = {base.kind == BaseKind::kRun ? "run" : "bench", what};
  command.arguments.insert(command.arguments.end(), options.begin(), options.end());
  return command;
}

std::string PointCommand::text() const {
  std::string text = "podsim";
  for (const std::string& argument : arguments) text += ' ' + shell_word(argument);
  return text;
}

std::string shell_word(const std::string& text) {
  const auto is_safe = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_./=+,:@%-").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_safe)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace podsim::study
