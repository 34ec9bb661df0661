// Files that survive whatever happens: each is there whole or not at all, also after a crash of the machine.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace podsim::study {

// Results could not be written or read: a full disk, a folder that is not ours. Says which file and why.
struct StoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Writes a file beside `path`, has it brought to the disk, and renames it. Throws StoreError, and leaves nothing
// behind.
void write_durably(const std::filesystem::path& path, const std::string& text);

// The whole of a file; empty when there is none.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

// Holds a folder for this process; the system lets go of it when the process ends, however that is.
class FolderLock {
 public:
  // Throws StoreError when another process has it, and says which.
  explicit FolderLock(const std::filesystem::path& file);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

}  // namespace podsim::study
