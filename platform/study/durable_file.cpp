#include "platform/study/durable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace podsim::study {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* what, const fs::path& path, int error) {
  throw StoreError(fmt::format("can't {} {}: {}", what, path.string(), std::strerror(error)));
}

bool write_all(int file, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t n = ::write(file, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    written += static_cast<std::size_t>(n);
  }
  return true;
}

// A rename is on the disk when its folder is.
void sync_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);  // some file systems know no such thing: then it is as good as it gets
  ::close(file);
}

}  // namespace

void write_durably(const fs::path& path, const std::string& text) {
  const fs::path temporary = path.parent_path() / fmt::format(".{}.{}.tmp", path.filename().string(), ::getpid());
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail("write", path, errno);
  int error = write_all(file, text) && ::fsync(file) == 0 ? 0 : errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail("write", path, error);
  }
  sync_folder(path.parent_path());
}

std::string read_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

FolderLock::FolderLock(const fs::path& path) : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail("write", path, errno);
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    const std::string owner = read_file(path);
    ::close(file_);
    throw StoreError(fmt::format("{} is in use by another sweep{}", path.parent_path().string(),
                                 owner.empty() ? "" : " (process " + owner + ")"));
  }
  const std::string own = std::to_string(::getpid());
  if (::ftruncate(file_, 0) != 0 || !write_all(file_, own)) {
    const int error = errno;
    ::close(file_);
    fail("write", path, error);
  }
}

FolderLock::~FolderLock() { ::close(file_); }

}  // namespace podsim::study
