// Makes a shared object of one file of firmware.
#pragma once

#include <filesystem>
#include <string>

namespace podsim::lab {

struct Compiled {
  bool ok = false;
  std::string messages;  // the compiler's first, warnings as well
  double seconds = 0;
};

// Compiles `source` against the headers under `root`, with $CXX, or g++. Undefined symbols are left for the loader.
[[nodiscard]] Compiled compile(const std::filesystem::path& source, const std::filesystem::path& root,
                               const std::filesystem::path& shared_object);

// A folder for files that nobody wants to keep; gone with this object.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace podsim::lab
