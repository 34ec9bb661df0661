// `podsim new-firmware DIR`: a project of one's own with a program for podsim, to begin with.
#pragma once

#include <string>

#include "platform/cli/command.h"

namespace podsim::cli {

class NewFirmwareCommand final : public Command {
 public:
  explicit NewFirmwareCommand(CLI::App& parent);
  int execute(Output& out) override;

 private:
  std::string folder_;
};

}  // namespace podsim::cli
