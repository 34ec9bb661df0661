// `podsim size --program RUN --target TARGET --pods CHIPS`: the smallest pod that does, and what would help it.
#pragma once

#include <string>
#include <vector>

#include "platform/cli/command.h"
#include "platform/study/gather.h"
#include "platform/study/sizing.h"

namespace podsim::cli {

class SizeCommand final : public Command {
 public:
  explicit SizeCommand(CLI::App& parent);
  int execute(Output& out) override;

 private:
  class Job;
  [[nodiscard]] unsigned at_once() const;

  std::string program_;
  std::string target_;
  std::vector<std::string> pods_;
  std::vector<std::string> sets_;
  std::vector<std::string> computes_;
  std::string fidelity_;
  std::string out_;
  std::uint64_t most_chips_ = 256;
  double percent_ = 10;
  bool no_sensitivity_ = false;
  unsigned jobs_ = 0;
};

}  // namespace podsim::cli
