// `podsim lab [NAME [--file FILE]]`: exercises in writing collectives out of remote copies and semaphores.
#pragma once

#include <filesystem>
#include <string>

#include "platform/cli/command.h"
#include "platform/lab/checker.h"

namespace podsim::cli {

class LabCommand final : public Command {
 public:
  explicit LabCommand(CLI::App& parent);
  int execute(Output& out) override;

 private:
  int check(const lab::Lab& lab, Output& out);
  // What is to be loaded: the file itself, or what the compiler makes of it in `scratch`. Throws ConfigError.
  [[nodiscard]] std::filesystem::path built(const std::filesystem::path& root, const std::filesystem::path& scratch,
                                            Output& out) const;

  std::string name_;
  std::string file_;
  std::string function_ = "podsim_lab";
  lab::Limits limits_;
};

}  // namespace podsim::cli
