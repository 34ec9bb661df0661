// Options that several commands have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "platform/config/config_error.h"
#include "platform/config/quantity.h"
#include "platform/run/runner.h"

namespace podsim::cli {

// The place of a command-line option, for errors: "--axes x,q".
[[nodiscard]] config::SourceMark option_mark(const std::string& option, const std::string& value);

// `parsed`, or a ConfigError that names the option.
template <class T>
[[nodiscard]] T value_of(config::Parsed<T> parsed, const std::string& option, const std::string& text) {
  if (!parsed.value) throw config::ConfigError(option_mark(option, text), {}, parsed.error);
  return *parsed.value;
}

void add_set_option(CLI::App& app, std::vector<std::string>& sets);

// --set, --fidelity, --data, --time-limit, --checks, --on-violation and --symmetry.
struct SimulationOptions {
  std::vector<std::string> sets;
  std::string data;
  std::string time_limit;
  std::string checks;
  std::string on_violation;
  std::string symmetry;

  void add(CLI::App& app);
  // What was asked for, if anything. Throw ConfigError.
  [[nodiscard]] std::optional<run::DataMode> data_mode() const;
  // Lays what was asked for over `options`.
  void apply(run::RunOptions& options) const;
};

}  // namespace podsim::cli
