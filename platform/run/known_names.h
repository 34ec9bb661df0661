// Names that a run file may give, for those who describe run files.
#pragma once

#include <string>
#include <vector>

namespace podsim::run {

[[nodiscard]] std::vector<std::string> program_names();
[[nodiscard]] std::vector<std::string> algorithm_names();
[[nodiscard]] std::vector<std::string> workload_names();
[[nodiscard]] std::vector<std::string> model_names();
[[nodiscard]] std::vector<std::string> outcome_names();

}  // namespace podsim::run
