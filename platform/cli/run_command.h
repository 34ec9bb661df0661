// `podsim run FILE`: the steps of a run file on its pod.
#pragma once

#include <string>
#include <vector>

#include "platform/cli/command.h"
#include "platform/cli/options.h"
#include "platform/cli/perturbed_runs.h"
#include "platform/cli/session.h"

namespace podsim::cli {

class RunCommand final : public Command {
 public:
  explicit RunCommand(CLI::App& parent);
  int execute(Output& out) override;

 private:
  // Finds the first seed that ends otherwise, if --perturb asks for it.
  [[nodiscard]] std::optional<OtherEnd> find_seed(Session& session, Output& out);

  std::string file_;
  std::vector<std::string> firmware_;
  SimulationOptions options_;
  JsonTarget dot_;
  Observation observation_;
  unsigned perturb_ = 0;            // seeds to try
  std::uint64_t perturb_seed_ = 0;  // or the one to play
};

}  // namespace podsim::cli
