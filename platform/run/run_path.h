// Where the file is that a command line names.
#pragma once

#include <filesystem>
#include <string>

#include "platform/config/config_error.h"

namespace podsim::run {

// The file that `file` means: a path, or the name of one in <root>/configs/runs. Throws ConfigError at `mark`, with a
// suggestion.
[[nodiscard]] std::filesystem::path find_run_file(const std::string& file, const std::filesystem::path& root,
                                                  const config::SourceMark& mark);

// The same for other kinds of files: "studies" in <root>/configs/studies.
[[nodiscard]] std::filesystem::path find_file(const std::string& file, const std::string& kind,
                                              const std::filesystem::path& root, const config::SourceMark& mark);

}  // namespace podsim::run
