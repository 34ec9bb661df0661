#include "platform/run/apart.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <stdexcept>

namespace podsim::run {

namespace {

struct Child {
  std::size_t work;
  std::FILE* answer;  // a file rather than a pipe: an answer of any length fits while nobody reads
};

[[noreturn]] void be_child(const Work& work, std::FILE* answer) {
  int status = 1;
  if (std::freopen("/dev/null", "w", stdout) != nullptr && std::freopen("/dev/null", "w", stderr) != nullptr) {
    try {
      const std::string text = work();
      const bool written = std::fwrite(text.data(), 1, text.size(), answer) == text.size();
      if (written && std::fflush(answer) == 0) status = 0;
    } catch (...) {  // the status says it
    }
  }
  ::_exit(status);
}

std::string whole(std::FILE* file) {
  std::string text;
  std::rewind(file);
  char part[4096];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, file)) > 0;) text.append(part, n);
  return text;
}

}  // namespace

std::vector<std::optional<std::string>> do_apart(const std::vector<Work>& works, unsigned jobs,
                                                 const std::function<void(std::size_t)>& on_done) {
  std::vector<std::optional<std::string>> answers(works.size());
  std::map<pid_t, Child> children;
  std::size_t next = 0;
  while (next < works.size() || !children.empty()) {
    if (next < works.size() && children.size() < std::max(jobs, 1u)) {
      std::FILE* const answer = std::tmpfile();
      if (answer == nullptr) throw std::runtime_error("can't make a temporary file");
      std::fflush(nullptr);
      const pid_t pid = ::fork();
      if (pid < 0) throw std::runtime_error("can't start a process");
      if (pid == 0) be_child(works[next], answer);
      children[pid] = {next++, answer};
      continue;
    }
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, 0);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) throw std::runtime_error("lost a process");
    const auto child = children.find(pid);
    if (child == children.end()) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) answers[child->second.work] = whole(child->second.answer);
    std::fclose(child->second.answer);
    if (on_done) on_done(child->second.work);
    children.erase(child);
  }
  return answers;
}

}  // namespace podsim::run
