#include "platform/study/local_engine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <set>

#include "platform/run/process_pool.h"

namespace podsim::study {

namespace {

using Clock = std::chrono::steady_clock;

// Of podsim (platform/cli/exit_codes.h): it could not write its results.
constexpr int kOutputError = 74;

bool redirect(int to, const char* file, int flags) {
  const int opened = ::open(file, flags, 0666);
  if (opened < 0) return false;
  const bool done = ::dup2(opened, to) >= 0;
  ::close(opened);
  return done;
}

// In the child: this program again, whatever has become of its file since.
int execute(std::vector<std::string>& words, const std::string& err) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (!redirect(STDIN_FILENO, "/dev/null", O_RDONLY) || !redirect(STDOUT_FILENO, "/dev/null", O_WRONLY) ||
      !redirect(STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC)) {
    return kOutputError;
  }
  ::execv("/proc/self/exe", argv.data());
  return kOutputError;
}

// What podsim was writing when it was killed stands beside its place: ".ADDRESS.json.PID.tmp".
void remove_leftovers(const std::vector<Job>& jobs, const ResultStore& store) {
  std::set<std::string> names;
  for (const Job& job : jobs) names.insert('.' + store.json_file(job.address).filename().string() + '.');
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(store.json_file("").parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    const auto after = names.upper_bound(name);
    const bool is_left = after != names.begin() && name.starts_with(*std::prev(after));
    if (is_left) std::filesystem::remove(entry.path(), ignored);
  }
}

int exit_code_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

}  // namespace

void run_locally(const std::vector<Job>& jobs, const std::vector<CollectEntry>& collect, unsigned at_once,
                 ResultStore& store, const OnResult& on_result) {
  remove_leftovers(jobs, store);
  run::ProcessPool pool(at_once);
  std::vector<Clock::time_point> began(jobs.size());
  std::size_t next = 0;
  const auto start = [&] {
    const Job& job = jobs[next];
    store.clear(job.address);
    std::vector<std::string> words{"podsim"};
    words.insert(words.end(), job.arguments.begin(), job.arguments.end());
    words.insert(words.end(), {"--json", store.json_file(job.address).string()});
    const std::string err = store.err_file(job.address).string();
    began[next] = Clock::now();
    pool.start(next++, [&] { return execute(words, err); });
  };
  while (next < jobs.size() || !pool.empty()) {
    while (next < jobs.size() && !pool.full()) start();
    const auto [id, status] = pool.wait();
    const std::chrono::duration<double> wall = Clock::now() - began[id];
    const int exit_code = exit_code_of(status);
    const Job& job = jobs[id];
    if (exit_code == kOutputError) {
      const std::string why = read_file(store.err_file(job.address));
      throw StoreError(fmt::format("a point could not write its results to {}{}", store.folder().string(),
                                   why.empty() ? ": is the disk full?" : ": " + why.substr(0, why.find('\n'))));
    }
    if (next < jobs.size()) start();  // the core has work while this one's result is recorded
    on_result(job, store.record(job.address, collect, exit_code, wall.count()));
  }
}

}  // namespace podsim::study
