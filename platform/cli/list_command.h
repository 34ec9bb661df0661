// `podsim list pods|chips|programs|algorithms`: what there is to choose from.
#pragma once

#include <string>

#include "platform/cli/command.h"

namespace podsim::cli {

class ListCommand final : public Command {
 public:
  explicit ListCommand(CLI::App& parent);
  int execute(Output& out) override;

 private:
  std::string what_;
};

}  // namespace podsim::cli
