// The results of a list of points: those that are known already, and the rest by running it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "platform/study/documents.h"
#include "platform/study/local_engine.h"
#include "platform/study/point_command.h"
#include "platform/study/result_store.h"

namespace podsim::study {

[[nodiscard]] Job job_of(const PointCommand& command, Documents& documents);

// Those of `jobs` whose results are not in the store, each once. What is there is added to `known`, by address.
[[nodiscard]] std::vector<Job> missing(const std::vector<Job>& jobs, const std::vector<CollectEntry>& collect,
                                       ResultStore& store, std::map<std::string, PointResult>& known);

// What stands for this build of podsim in content addresses: its version and the bytes of its executable.
[[nodiscard]] std::string this_build();

}  // namespace podsim::study
