// `podsim describe POD`: builds a pod and says what it is.
#pragma once

#include <string>
#include <vector>

#include "platform/cli/command.h"

namespace podsim::cli {

class DescribeCommand final : public Command {
 public:
  explicit DescribeCommand(CLI::App& parent);
  int execute(Output& out) override;

 private:
  std::string pod_;
  std::vector<std::string> sets_;
  bool config_ = false;
};

}  // namespace podsim::cli
