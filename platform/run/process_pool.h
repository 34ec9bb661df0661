// Child processes, some at a time. SystemC elaborates once a process, so whoever runs several pods needs several.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>

namespace podsim::run {

class ProcessPool {
 public:
  explicit ProcessPool(unsigned most) : most_(most > 0 ? most : 1) {}
  // Kills what still runs.
  ~ProcessPool();
  ProcessPool(const ProcessPool&) = delete;
  ProcessPool& operator=(const ProcessPool&) = delete;

  [[nodiscard]] bool full() const { return children_.size() >= most_; }
  [[nodiscard]] bool empty() const { return children_.empty(); }

  // `child` is called in a new process and ends it with what it returns. The process ends with this one at the latest.
  // `id` says which one ended. Throws std::runtime_error when there can be no process.
  void start(std::size_t id, const std::function<int()>& child);

  struct End {
    std::size_t id;
    int status;  // as from waitpid
  };
  // Waits for the next to end; the pool is not empty. Throws std::runtime_error.
  [[nodiscard]] End wait();

 private:
  std::size_t most_;
  std::map<pid_t, std::size_t> children_;  // ids
};

}  // namespace podsim::run
