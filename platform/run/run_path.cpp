#include "platform/run/run_path.h"

#include "platform/config/layers.h"
#include "platform/config/suggestion.h"

namespace podsim::run {

namespace fs = std::filesystem;

fs::path find_run_file(const std::string& file, const fs::path& root, const config::SourceMark& mark) {
  return find_file(file, "runs", root, mark);
}

fs::path find_file(const std::string& file, const std::string& kind, const fs::path& root,
                   const config::SourceMark& mark) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) return file;
  const fs::path preset = root / "configs" / kind / (file + ".yaml");
  if (file.find('/') == std::string::npos && fs::exists(preset, ignored)) return preset;
  throw config::ConfigError(
      mark, {}, "no such file" + config::suggestion(fs::path(file).stem().string(), config::preset_names(root, kind)));
}

}  // namespace podsim::run
