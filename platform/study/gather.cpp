#include "platform/study/gather.h"

#include <set>

#include "platform/study/content_address.h"
#include "platform/version.h"

namespace podsim::study {

Job job_of(const PointCommand& command, Documents& documents) {
  return {documents.address(command), command.arguments};
}

std::vector<Job> missing(const std::vector<Job>& jobs, const std::vector<CollectEntry>& collect, ResultStore& store,
                         std::map<std::string, PointResult>& known) {
  std::vector<Job> left;
  std::set<std::string> seen;
  for (const Job& job : jobs) {
    if (!seen.insert(job.address).second) continue;
    if (auto result = store.find(job.address, collect)) {
      known.emplace(job.address, std::move(*result));
    } else {
      left.push_back(job);
    }
  }
  return left;
}

std::string this_build() { return version() + ' ' + file_digest("/proc/self/exe"); }

}  // namespace podsim::study
