#include "platform/lab/compiler.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace podsim::lab {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLines = 20;
constexpr rlim_t kMostSeconds = 120;  // of processor time: a template may go on for ever

struct Ran {
  int status = 0;
  std::string said;
};

// Runs a program and collects all that it says.
Ran run(const std::vector<std::string>& words) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("can't make a pipe");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("can't start a process");
  if (child == 0) {
    const rlimit both{kMostSeconds, kMostSeconds};
    ::setrlimit(RLIMIT_CPU, &both);
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::setenv("LC_ALL", "C", 1);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    const std::string sorry = fmt::format("can't run {}: {}\n", words[0], std::strerror(errno));
    [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, sorry.data(), sorry.size());
    ::_exit(127);
  }
  ::close(ends[1]);
  Ran ran;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    ran.said.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  ::waitpid(child, &ran.status, 0);
  return ran;
}

std::string first_lines(const std::string& text) {
  std::size_t end = 0;
  for (std::size_t line = 0; line < kMostLines && end < text.size(); ++line) {
    const std::size_t newline = text.find('\n', end);
    if (newline == std::string::npos) return text + '\n';
    end = newline + 1;
  }
  return end < text.size() ? text.substr(0, end) + "...\n" : text;
}

// GCC 12 can't keep a braced list across a co_await, and says so in words that help nobody.
std::string hint(const std::string& messages) {
  if (messages.find("array used as initializer") == std::string::npos) return {};
  return "hint: a list in braces that becomes a vector can't stand within a co_await; make a variable of it first\n";
}

}  // namespace

Compiled compile(const fs::path& source, const fs::path& root, const fs::path& shared_object) {
  const char* const chosen = std::getenv("CXX");
  const std::string compiler = chosen != nullptr && *chosen != '\0' ? chosen : "g++";
  const auto start = std::chrono::steady_clock::now();
  const Ran ran = run({compiler, "-std=c++20", "-O1", "-g", "-Wall", "-fdiagnostics-color=never", "-shared", "-fPIC",
                       "-I" + root.string(), source.string(), "-o", shared_object.string()});
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return {ran.status == 0, first_lines(ran.said) + hint(ran.said), time.count()};
}

ScratchFolder::ScratchFolder() {
  std::string pattern = (fs::temp_directory_path() / "podsim-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("can't make a folder in " + pattern);
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace podsim::lab
