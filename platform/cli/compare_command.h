// `podsim compare A.json B.json`: two results, step by step and by cause.
#pragma once

#include <string>

#include "platform/cli/command.h"
#include "platform/cli/json_target.h"

namespace podsim::cli {

class CompareCommand final : public Command {
 public:
  explicit CompareCommand(CLI::App& parent);
  int execute(Output& out) override;

 private:
  std::string one_;
  std::string other_;
  JsonTarget report_;
};

}  // namespace podsim::cli
