#include "platform/cli/json_target.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "platform/config/config_error.h"

namespace podsim::cli {

namespace {

namespace fs = std::filesystem;

// A file beside the target, gone unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target)
      : path_(target.parent_path() / fmt::format(".{}.{}.tmp", target.filename().string(), ::getpid())) {}
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Devices and pipes (/dev/null) are written in place; a link stays a link to what it led to.
bool is_special(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
}

fs::path resolved(const std::string& file) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(fs::absolute(file), error);
  return error ? fs::path(file) : path;
}

std::string reason() { return std::strerror(errno); }

}  // namespace

void JsonTarget::add_option(CLI::App& app, const std::string& option, const std::string& help) {
  option_ = option;
  app.add_option(option, file_, help)->type_name("FILE");
}

void JsonTarget::check_writable() const {
  if (!wanted() || is_stdout()) return;
  const auto fail = [&](const std::string& why) {
    const auto source = std::make_shared<const std::string>(option_ + " " + file_);
    throw config::ConfigError({source, 0, 0}, {}, "can't write this file: " + why);
  };
  const fs::path path = resolved(file_);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail("it is a folder");
  const TemporaryFile trial(path);
  errno = 0;
  if (is_special(path) ? !std::ofstream(path, std::ios::app) : !std::ofstream(trial.path())) fail(reason());
}

void JsonTarget::write(Output& out, const std::function<void(std::ostream&)>& writer) const {
  if (!wanted()) return;
  if (is_stdout()) {
    std::ostringstream text;
    writer(text);
    out.print_always(text.str());
    return;
  }
  const fs::path path = resolved(file_);
  const TemporaryFile temporary(path);
  const fs::path& target = is_special(path) ? path : temporary.path();
  errno = 0;
  std::ofstream stream(target, std::ios::binary);
  writer(stream);
  stream.close();
  if (!stream) throw OutputError(fmt::format("can't write {}: {}", file_, reason()));
  std::error_code error;
  if (target != path) fs::rename(target, path, error);
  if (error) throw OutputError(fmt::format("can't write {}: {}", file_, error.message()));
}

}  // namespace podsim::cli
