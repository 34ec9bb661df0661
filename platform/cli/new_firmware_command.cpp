#include "platform/cli/new_firmware_command.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "platform/cli/options.h"
#include "platform/cli/project_root.h"

namespace podsim::cli {

namespace {

namespace fs = std::filesystem;

// A folder's name as an identifier: "my-firmware" becomes "my_firmware".
std::string identifier(const fs::path& folder) {
  std::string name = folder.filename().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return std::isalpha(static_cast<unsigned char>(name.front())) != 0 ? name : "my_" + name;
}

// The CMake package of this very program: beside it in a build folder, in lib/cmake of an installation.
fs::path find_package(const fs::path& program) {
  const fs::path beside = program.parent_path();
  const std::vector<fs::path> folders{beside, beside.parent_path() / "lib" / "cmake" / "podsim"};
  std::error_code ignored;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / "podsimConfig.cmake", ignored)) return folder;
  }
  throw config::ConfigError({nullptr, 0, 0}, {},
                            fmt::format("found no CMake package of this podsim (podsimConfig.cmake); looked in {}, {}",
                                        folders[0].string(), folders[1].string()));
}

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw OutputError(fmt::format("can't read {}", file.string()));
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Puts values in place of "@name@".
std::string filled(std::string text, const std::map<std::string, std::string>& values) {
  for (const auto& [name, value] : values) {
    const std::string place = '@' + name + '@';
    for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += value.size()) {
      text.replace(at, place.size(), value);
    }
  }
  return text;
}

}  // namespace

NewFirmwareCommand::NewFirmwareCommand(CLI::App& parent)
    : Command(parent, "new-firmware", "Write a project with a program of your own, to begin with",
              "Example:\n"
              "  podsim new-firmware ../mine\n"
              "  cmake -S ../mine -B ../mine/build && cmake --build ../mine/build\n"
              "  podsim run ../mine/run.yaml --firmware ../mine/build/libmine.so") {
  app().add_option("DIR", folder_, "Folder to write it to; new, or empty")->required()->type_name("");
}

int NewFirmwareCommand::execute(Output& out) {
  if (folder_.empty())
    throw config::ConfigError(option_mark("new-firmware", "''"), {}, "expected the name of a folder");
  const fs::path folder = fs::absolute(folder_).lexically_normal();
  const fs::path target = folder.filename().empty() ? folder.parent_path() : folder;  // "../mine/"
  const config::SourceMark mark = option_mark("new-firmware", folder_);
  std::error_code error;
  if (fs::exists(target, error) && (!fs::is_directory(target, error) || !fs::is_empty(target, error))) {
    throw config::ConfigError(mark, {}, "is there already, and is not an empty folder");
  }
  if (target.filename().empty()) throw config::ConfigError(mark, {}, "expected the name of a folder");
  const fs::path program = fs::canonical("/proc/self/exe");
  const std::string name = identifier(target);
  const std::map<std::string, std::string> values{
      {"name", name}, {"podsim_DIR", find_package(program).string()}, {"podsim", program.string()}};
  const fs::path examples = find_project_root() / "examples" / "firmware";
  if (!fs::exists(examples, error)) {
    throw config::ConfigError({nullptr, 0, 0}, {}, fmt::format("the starter is missing: {}", examples.string()));
  }
  fs::create_directories(target, error);
  if (error) throw OutputError(fmt::format("can't make {}: {}", target.string(), error.message()));
  for (const std::string file : {"CMakeLists.txt", "README.md", "firmware.cpp", "run.yaml"}) {
    const fs::path path = target / (file == "firmware.cpp" ? name + ".cpp" : file);
    std::ofstream stream(path, std::ios::binary);
    stream << filled(read(examples / file), values);
    stream.close();
    if (!stream) throw OutputError(fmt::format("can't write {}", path.string()));
  }
  out.print(
      fmt::format("Wrote {0}: {1}.cpp, run.yaml, CMakeLists.txt, README.md. Now\n\n"
                  "  cmake -S {0} -B {0}/build && cmake --build {0}/build\n"
                  "  {2} run {0}/run.yaml --firmware {0}/build/lib{1}.so\n",
                  folder_, name, program.string()));
  return 0;
}

}  // namespace podsim::cli
