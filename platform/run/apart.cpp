#include "platform/run/apart.h"

#include <sys/wait.h>

#include <cstdio>
#include <map>
#include <stdexcept>

#include "platform/run/process_pool.h"

namespace podsim::run {

namespace {

// In the child: the answer goes to a file rather than a pipe, where one of any length fits while nobody reads.
int answer_to(std::FILE* answer, const Work& work) {
  if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr) return 1;
  try {
    const std::string text = work();
    const bool written = std::fwrite(text.data(), 1, text.size(), answer) == text.size();
    return written && std::fflush(answer) == 0 ? 0 : 1;
  } catch (...) {  // the status says it
    return 1;
  }
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
  std::map<std::size_t, std::FILE*> files;
  ProcessPool pool(jobs);
  std::size_t next = 0;
  while (next < works.size() || !pool.empty()) {
    if (next < works.size() && !pool.full()) {
      std::FILE* const answer = std::tmpfile();
      if (answer == nullptr) throw std::runtime_error("can't make a temporary file");
      pool.start(next, [&] { return answer_to(answer, works[next]); });
      files[next++] = answer;
      continue;
    }
    const auto [id, status] = pool.wait();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) answers[id] = whole(files[id]);
    std::fclose(files[id]);
    if (on_done) on_done(id);
  }
  return answers;
}

}  // namespace podsim::run
