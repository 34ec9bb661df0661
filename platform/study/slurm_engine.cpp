#include "platform/study/slurm_engine.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "platform/config/config_error.h"
#include "platform/config/scalar_parsers.h"
#include "platform/study/commands.h"
#include "platform/study/content_address.h"
#include "platform/study/point_command.h"

namespace podsim::study {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLookEvery{300};
constexpr int kAskEvery = 5;           // looks, for the state of the job: squeue loads the controller
constexpr int kPatience = 20;          // failures of squeue in a row, before the controller is given up
constexpr int kMostInVain = 2;         // jobs without a new result
constexpr unsigned kMostTasks = 1000;  // MaxArraySize is 1001 unless configured otherwise

struct Said {
  int exit_code = 0;
  std::string text;
};

// Standard output, and standard error if it comes to grief.
Said ask(const std::string& command) {
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "re");
  if (pipe == nullptr) return {127, "can't start a process"};
  Said said;
  char part[4096];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) said.text.append(part, n);
  const int status = ::pclose(pipe);
  said.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  while (!said.text.empty() && said.text.back() == '\n') said.text.pop_back();
  if (said.exit_code != 0) std::replace(said.text.begin(), said.text.end(), '\n', ';');
  return said;
}

[[noreturn]] void refuse(const std::string& why) {
  throw config::ConfigError({std::make_shared<const std::string>("--engine slurm"), 0, 0}, {}, why);
}

// "%C" of sinfo: allocated/idle/other/total.
unsigned processors() {
  const Said said = ask("sinfo -h -o %C");
  if (said.exit_code == 127) refuse("there is no 'sinfo' here: is this machine a Slurm client?");
  if (said.exit_code != 0) refuse(said.text);
  const std::string total = said.text.substr(said.text.rfind('/') + 1);
  return static_cast<unsigned>(std::max<std::uint64_t>(1, config::parse_unsigned(total, 1u << 20).value.value_or(1)));
}

class Array {
 public:
  Array(const std::vector<CollectEntry>& collect, ResultStore& store, const OnResult& on_result)
      : collect_(collect),
        store_(store),
        on_result_(on_result),
        folder_(store.folder() / "slurm"),
        name_(name_for(folder_)) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw StoreError(fmt::format("can't make the folder {}: {}", folder_.string(), error.message()));
  }

  void run(std::vector<Job> jobs, unsigned tasks) {
    if (is_queued(0)) follow(jobs);  // a job of an earlier sweep of this folder
    for (int in_vain = 0; !jobs.empty();) {
      if (in_vain == kMostInVain) {
        refuse(fmt::format("{} of the points have no result after {} jobs; see {}/task-*.log", jobs.size(), in_vain,
                           folder_.string()));
      }
      const std::size_t before = jobs.size();
      submit(jobs, tasks);
      follow(jobs);
      in_vain = jobs.size() < before ? 0 : in_vain + 1;
    }
  }

 private:
  // The job is known by its folder, so that it is found again whenever the sweep that submitted it came to its end.
  static std::string name_for(const fs::path& folder) {
    Digest digest;
    digest.add(fs::absolute(folder).lexically_normal().string());
    return "podsim-" + digest.hex().substr(0, 16);
  }

  // Every so-manieth point to a task, so that large ones, which stand together, are spread.
  void submit(const std::vector<Job>& jobs, unsigned most_tasks) const {
    const unsigned wanted = most_tasks > 0 ? most_tasks : 2 * processors();
    const std::size_t tasks = std::min<std::size_t>({jobs.size(), wanted, kMostTasks});
    std::vector<std::string> scripts(tasks, "#!/bin/sh\n");
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      store_.clear(jobs[i].address);
      scripts[i % tasks] += '(' + shell_line(jobs[i], store_) + ")\n";
    }
    for (std::size_t i = 0; i < tasks; ++i) write_durably(task_file(i), scripts[i]);
    const std::string own = fs::absolute(folder_).lexically_normal().string();
    write_durably(folder_ / "array.sh",
                  fmt::format("#!/bin/sh\nexec sh {}/task-\"$SLURM_ARRAY_TASK_ID\".sh\n", shell_word(own)));
    const Said said =
        ask(fmt::format("sbatch --parsable --job-name={} --ntasks=1 --cpus-per-task=1 "
                        "--array=0-{} --output={} {}",
                        name_, tasks - 1, shell_word(own + "/task-%a.log"), shell_word(own + "/array.sh")));
    if (said.exit_code == 127) refuse("there is no 'sbatch' here: is this machine a Slurm client?");
    if (said.exit_code != 0) refuse(said.text);
  }
  [[nodiscard]] fs::path task_file(std::size_t task) const { return folder_ / fmt::format("task-{}.sh", task); }

  // Whether any task of the job waits or runs.
  // Asks again, a second apart, when the controller does not answer: it may be restarting.
  [[nodiscard]] bool is_queued(int patience) const {
    for (int failures = 0;; ++failures) {
      const Said said = ask("squeue -h -o %T --name=" + name_);
      if (said.exit_code == 127) refuse("there is no 'squeue' here: is this machine a Slurm client?");
      if (said.exit_code == 0) return !said.text.empty();
      if (failures == patience) refuse(said.text);
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  }

  void follow(std::vector<Job>& jobs) {
    for (int look = 1; !jobs.empty(); ++look) {
      std::this_thread::sleep_for(kLookEvery);
      const bool ended = look % kAskEvery == 0 && !is_queued(kPatience);
      take_in(jobs, ended);
      if (ended) break;
    }
  }

  // Takes the results that have come out of `jobs`. While the job runs, a point has ended when its exit code is there.
  void take_in(std::vector<Job>& jobs, bool ended) {
    std::erase_if(jobs, [&](const Job& job) {
      std::error_code ignored;
      const std::uintmax_t size = fs::file_size(store_.exit_file(job.address), ignored);
      if (!ended && (ignored || size == 0)) return false;
      const std::optional<PointResult> result = store_.adopt(job.address, collect_);
      if (result) on_result_(job, *result);
      return result.has_value();
    });
  }

  const std::vector<CollectEntry>& collect_;
  ResultStore& store_;
  const OnResult& on_result_;
  fs::path folder_;
  std::string name_;
};

}  // namespace

void run_by_slurm(const std::vector<Job>& jobs, const std::vector<CollectEntry>& collect, unsigned tasks,
                  ResultStore& store, const OnResult& on_result) {
  if (!jobs.empty()) Array(collect, store, on_result).run(jobs, tasks);
}

}  // namespace podsim::study
