// Runs points on a Slurm cluster, as a job array whose tasks go through some points each.
//
// The folder of results must be on a file system that the nodes share. Partition, account and time limit are set as for
// any sbatch, by its environment variables (SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT, ...). A sweep that is
// broken off leaves the job to itself; the next one follows it, rather than submitting the points again.
#pragma once

#include <vector>

#include "platform/study/local_engine.h"

namespace podsim::study {

// `tasks` of the array at most; 0: two for each processor of the cluster. Throws StoreError, and ConfigError when Slurm
// is not there, refuses the job, or loses it.
void run_by_slurm(const std::vector<Job>& jobs, const std::vector<CollectEntry>& collect, unsigned tasks,
                  ResultStore& store, const OnResult& on_result);

}  // namespace podsim::study
