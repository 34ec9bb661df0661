// Where the presets are: the folder that has configs/chips and configs/pods.
#pragma once

#include <filesystem>

namespace podsim::cli {

// The first of: $PODSIM_ROOT (alone, when set), the folders above the executable (build/<preset>/podsim lies two below
// the project's), ../share/podsim of an installed executable, the current folder. Throws ConfigError, which says what
// was tried.
[[nodiscard]] std::filesystem::path find_project_root();

// What firmware is compiled against: the project's folder itself, or the headers that were installed with it.
[[nodiscard]] std::filesystem::path headers_of(const std::filesystem::path& root);

}  // namespace podsim::cli
