#include "platform/study/commands.h"

#include <fmt/format.h>

#include "platform/study/point_command.h"

namespace podsim::study {

namespace fs = std::filesystem;

std::string shell_line(const Job& job, const ResultStore& store) {
  const auto word = [](const fs::path& path) { return shell_word(fs::absolute(path).lexically_normal().string()); };
  std::string line = fmt::format("cd {} && {}", word(fs::current_path()), word(fs::canonical("/proc/self/exe")));
  for (const std::string& argument : job.arguments) line += ' ' + shell_word(argument);
  return line + fmt::format(" --json {} >/dev/null 2>{}; echo $? >{}", word(store.json_file(job.address)),
                            word(store.err_file(job.address)), word(store.exit_file(job.address)));
}

}  // namespace podsim::study
