// Runs points on this machine, a process of this very program for each.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/study/result_store.h"

namespace podsim::study {

// A point to be run.
struct Job {
  std::string address;
  std::vector<std::string> arguments;  // behind `podsim`
};

using OnResult = std::function<void(const Job&, const PointResult&)>;

// Runs all, `at_once` at a time, and records each as it ends. Throws StoreError when results can't be written, and
// std::runtime_error when no process can be started; what runs then is broken off.
void run_locally(const std::vector<Job>& jobs, const std::vector<CollectEntry>& collect, unsigned at_once,
                 ResultStore& store, const OnResult& on_result);

}  // namespace podsim::study
