// Runs the built podsim as a user would, and collects what it says.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace podsim::testing {

struct CommandResult {
  int exit_code = -1;
  std::string out;
  std::string err;
};

class Cli : public ::testing::Test {
 protected:
  Cli() : folder_(std::filesystem::temp_directory_path() / ("podsim_cli_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Cli() override { std::filesystem::remove_all(folder_); }

  // `podsim ARGUMENTS` through the shell, in a folder of the test's own; `before` may set variables.
  [[nodiscard]] CommandResult podsim(const std::string& arguments, const std::string& before = root()) {
    const std::string command = "cd '" + folder_.string() + "' && " + before + " '" PODSIM_BINARY "' " + arguments;
    return shell("{ " + command + "; }");
  }
  [[nodiscard]] CommandResult shell(const std::string& command) {
    const std::string out = path("out.txt"), err = path("err.txt");
    const int status = std::system((command + " > '" + out + "' 2> '" + err + "'").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(out), read(err)};
  }
  // A file in the test's folder.
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] static std::string read(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  [[nodiscard]] static std::string root() { return "PODSIM_ROOT='" PODSIM_SOURCE_DIR "'"; }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace podsim::testing
