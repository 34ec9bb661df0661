// The program of a step, and the numbers that it is given:
//
//   {program: mine, parameters: {rounds: 3}, size: 1 MiB}
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/programs/programs.h"
#include "platform/config/config_node.h"

namespace podsim::run {

// The program that the step's `program` names. Throws ConfigError if there is none.
[[nodiscard]] const firmware::Program& read_program_name(const config::ConfigNode& step, const std::string& step_key);

// The step's `parameters`, in the order in which the program has them; its own values for those left out. Throws
// ConfigError for what is no number within the program's bounds, and for a name that it does not have.
[[nodiscard]] std::vector<std::int64_t> read_parameters(const firmware::Program& program,
                                                        const config::ConfigNode& step, const std::string& step_key);

}  // namespace podsim::run
