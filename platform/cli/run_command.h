// `podsim run FILE`: the steps of a run file on its pod.
#pragma once

#include <string>

#include "platform/cli/command.h"
#include "platform/cli/options.h"

namespace podsim::cli {

class RunCommand final : public Command {
 public:
  explicit RunCommand(CLI::App& parent);
  int execute(Output& out) override;

 private:
  std::string file_;
  SimulationOptions options_;
};

}  // namespace podsim::cli
