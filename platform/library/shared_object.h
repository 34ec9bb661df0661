// Firmware in a shared object, which finds the device API in the executable.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace podsim::library {

// what() says what is wrong with the file.
struct LoadError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class SharedObject {
 public:
  // Loads it for the rest of the process's life. Throws LoadError. Runs the object's constructors: load what somebody
  // else has written in a process that may crash.
  explicit SharedObject(const std::filesystem::path& file);

  // The extern "C" function of that name. Throws LoadError if there is none.
  template <class Function>
  [[nodiscard]] Function* function(const std::string& name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  [[nodiscard]] void* symbol(const std::string& name) const;

  std::string file_;
  void* handle_;
};

}  // namespace podsim::library
