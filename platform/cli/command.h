// A subcommand of podsim: declares its options on construction, does its work in execute().
#pragma once

#include <CLI/CLI.hpp>

#include "platform/cli/json_target.h"
#include "platform/cli/output.h"

namespace podsim::cli {

class Command {
 public:
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // Returns the exit code. Throws ConfigError for what the user got wrong.
  [[nodiscard]] virtual int execute(Output& out) = 0;

  [[nodiscard]] CLI::App& app() const { return app_; }
  [[nodiscard]] const JsonTarget& json() const { return json_; }

 protected:
  Command(CLI::App& parent, const char* name, const char* description, const char* examples)
      : app_(*parent.add_subcommand(name, description)) {
    app_.footer(examples);
    app_.fallthrough();  // so that -v may stand behind the command
  }

  JsonTarget json_;

 private:
  CLI::App& app_;
};

}  // namespace podsim::cli
