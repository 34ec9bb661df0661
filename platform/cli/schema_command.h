// `podsim schema [KIND]`: what the YAML files may hold, for editors and validators.
#pragma once

#include <string>

#include "platform/cli/command.h"

namespace podsim::cli {

class SchemaCommand final : public Command {
 public:
  explicit SchemaCommand(CLI::App& parent);
  int execute(Output& out) override;

 private:
  std::string kind_;
  bool list_ = false;
  bool markdown_ = false;
};

}  // namespace podsim::cli
