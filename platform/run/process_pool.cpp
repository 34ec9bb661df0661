#include "platform/run/process_pool.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdexcept>

namespace podsim::run {

ProcessPool::~ProcessPool() {
  for (const auto& child : children_) ::kill(child.first, SIGKILL);
  for (const auto& child : children_) ::waitpid(child.first, nullptr, 0);
}

void ProcessPool::start(std::size_t id, const std::function<int()>& child) {
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("can't start a process");
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // it has ended before that
    ::_exit(child());                       // no destructors: a pod that was broken off can't be taken down
  }
  children_[pid] = id;
}

ProcessPool::End ProcessPool::wait() {
  for (;;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, 0);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) throw std::runtime_error("lost a process");
    const auto child = children_.find(pid);
    if (child == children_.end()) continue;
    const End end{child->second, status};
    children_.erase(child);
    return end;
  }
}

}  // namespace podsim::run
