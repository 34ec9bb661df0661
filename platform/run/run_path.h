// Where a run file is.
#pragma once

#include <filesystem>
#include <string>

#include "platform/config/config_error.h"

namespace podsim::run {

// The file that `file` means: a path, or the name of one in <root>/configs/runs. Throws ConfigError at `mark`, with a
// suggestion.
[[nodiscard]] std::filesystem::path find_run_file(const std::string& file, const std::filesystem::path& root,
                                                  const config::SourceMark& mark);

}  // namespace podsim::run
