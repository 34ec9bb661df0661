#include "platform/cli/project_root.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "platform/config/config_error.h"

namespace podsim::cli {

namespace {

namespace fs = std::filesystem;

bool has_presets(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "configs" / "chips", ignored) &&
         fs::is_directory(folder / "configs" / "pods", ignored);
}

std::vector<fs::path> candidates() {
  std::error_code error;
  std::vector<fs::path> folders;
  const fs::path executable = fs::canonical("/proc/self/exe", error);
  if (!error) {
    const fs::path folder = executable.parent_path();
    folders.push_back(folder.parent_path().parent_path());
    folders.push_back(folder.parent_path());
    folders.push_back(folder.parent_path() / "share" / "podsim");
  }
  const fs::path current = fs::current_path(error);
  if (!error) folders.push_back(current);
  return folders;
}

}  // namespace

fs::path find_project_root() {
  const char* const variable = std::getenv("PODSIM_ROOT");
  const bool is_set = variable != nullptr && *variable != '\0';
  const std::vector<fs::path> folders = is_set ? std::vector<fs::path>{variable} : candidates();
  std::string tried;
  for (const fs::path& folder : folders) {
    if (has_presets(folder)) return folder;
    tried += fmt::format("{}{}", tried.empty() ? "" : ", ", folder.string());
  }
  const config::SourceMark mark{is_set ? std::make_shared<const std::string>("PODSIM_ROOT") : nullptr, 0, 0};
  throw config::ConfigError(mark, {},
                            fmt::format("found no presets (configs/chips, configs/pods); looked in {}{}", tried,
                                        is_set ? "" : ". Set PODSIM_ROOT to the project's folder"));
}

fs::path headers_of(const fs::path& root) {
  std::error_code ignored;
  const fs::path installed = root / ".." / ".." / "include" / "podsim";  // beside share/podsim
  return fs::exists(root / "models", ignored) || !fs::exists(installed, ignored) ? root : installed;
}

}  // namespace podsim::cli
