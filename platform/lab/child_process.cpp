#include "platform/lab/child_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace podsim::lab {

namespace {

using Clock = std::chrono::steady_clock;

// Behind an answer, so that one that breaks off is not taken for whole.
constexpr char kEnd = '\x04';

using Resource = decltype(RLIMIT_CPU);

void limit(Resource resource, rlim_t value) {
  const rlimit both{value, value + 1};
  ::setrlimit(resource, &both);  // SIGXCPU first, then SIGKILL
}

[[noreturn]] void be_the_child(const std::function<std::string()>& work, const Limits& limits, int to_parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CPU, limits.cpu_seconds);
  limit(RLIMIT_CORE, 0);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  std::string answer;
  try {
    answer = work();
  } catch (...) {
    ::_exit(1);
  }
  answer += kEnd;
  for (std::size_t sent = 0; sent < answer.size();) {
    const ssize_t n = ::write(to_parent, answer.data() + sent, answer.size() - sent);
    if (n <= 0) ::_exit(1);
    sent += static_cast<std::size_t>(n);
  }
  std::fflush(stdout);
  ::_exit(0);  // no destructors: a pod that was broken off can't be taken down
}

// False when the time is over.
bool read_until(Clock::time_point deadline, int from, std::string& text) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd wanted{from, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(left));
    if (ready < 0 && errno != EINTR) return true;
    if (ready <= 0) continue;
    char buffer[4096];
    const ssize_t n = ::read(from, buffer, sizeof buffer);
    if (n <= 0) return true;
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.back() == kEnd) return true;
  }
}

std::string in_words(int signal) {
  switch (signal) {
    case SIGSEGV: return "segmentation fault";
    case SIGABRT: return "aborted";
    case SIGFPE: return "arithmetic error, such as a division by zero";
    default: return fmt::format("signal {} ({})", signal, ::strsignal(signal));
  }
}

}  // namespace

ChildEnd run_in_child(const std::function<std::string()>& work, const Limits& limits) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("can't make a pipe");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("can't start a process");
  if (child == 0) {
    ::close(ends[0]);
    be_the_child(work, limits, ends[1]);
  }
  ::close(ends[1]);
  ChildEnd end;
  const bool in_time = read_until(Clock::now() + std::chrono::seconds(limits.wall_seconds()), ends[0], end.answer);
  ::close(ends[0]);
  const bool answered = in_time && !end.answer.empty() && end.answer.back() == kEnd;
  // Whatever it does after its answer is of no interest; it need not end by itself.
  if (!in_time || answered) ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (answered) {
    end.answer.pop_back();
    end.how = ChildEnd::How::kAnswered;
    return end;
  }
  end.answer.clear();
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (!in_time || signal == SIGXCPU || signal == SIGKILL) {
    end.how = ChildEnd::How::kOutOfTime;
    end.why = in_time ? fmt::format("has used {} s of processor time and goes on", limits.cpu_seconds)
                      : fmt::format("has not ended in {} s", limits.wall_seconds());
    return end;
  }
  end.why = signal != 0 ? in_words(signal) : fmt::format("it ends the process, with exit code {}", WEXITSTATUS(status));
  return end;
}

}  // namespace podsim::lab
