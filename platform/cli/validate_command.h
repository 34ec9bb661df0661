// `podsim validate`: the model beside figures from outside.
#pragma once

#include <string>

#include "platform/cli/command.h"

namespace podsim::cli {

class ValidateCommand final : public Command {
 public:
  explicit ValidateCommand(CLI::App& parent);
  [[nodiscard]] int execute(Output& out) override;

 private:
  std::string only_;
  bool rows_ = false;
  unsigned jobs_ = 0;
  JsonTarget markdown_;
};

}  // namespace podsim::cli
