// All that a command found out, as plain data: what the text and JSON reports are made from.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/pod/pod.h"
#include "platform/report/link_use.h"
#include "platform/run/step.h"

namespace podsim::report {

// Copies of a chip's counters: the blocks start the next step from zero.
struct ChipStatistics {
  scalar_core::ScalarCoreStatistics scalar_core;
  std::vector<tensor_core::TensorCoreStatistics> tensor_cores;
  memory::MemoryStatistics hbm;
  memory::HbmPricing::Statistics hbm_dram;
  memory::MemoryStatistics vmem;
  semaphore::SemaphoreStatistics semaphores;
  std::vector<dma::DmaStatistics> dma_engines;
  pcie::PcieStatistics pcie;
  ici::NetworkInterfaceStatistics network_interface;
  ici::RouterStatistics router;
};

struct HostStatistics {
  memory::MemoryStatistics memory;
  pcie::PcieStatistics root_complex;
  std::vector<pcie::PcieStatistics> switches;
  pcie::HostStagingStatistics staging;
};

struct StepRecord {
  run::StepResult result;
  std::vector<LinkUse> links;
  std::vector<ChipStatistics> chips;  // by ChipId, of those that were modelled
  std::vector<HostStatistics> hosts;
};

// Takes the pod's counters, which count since the step began.
[[nodiscard]] StepRecord record_step(const pod::Pod& pod, run::StepResult result);

struct PodRecord {
  std::string name;  // the preset; empty for a pod made up in a run file
  std::string chip;
  ici::TorusShape torus;
  std::size_t links = 0;          // one way each; those that work
  std::size_t changed_links = 0;  // of them, those with a speed of their own
  std::size_t hosts = 0;
  bool one_for_all = false;  // one chip was modelled, and stands for all
  Bandwidth link_bandwidth;  // per direction
  ici::DeadLinks dead_links;
};

[[nodiscard]] PodRecord record_pod(const pod::Pod& pod);
// "4 x 4 mesh", "16 x 16 torus", "8 x 16 (wraps y)", "ring of 8"
[[nodiscard]] std::string shape_text(const ici::TorusShape& torus);
// "tpu-v5e-4x4: 16 chips (tpu-v5e), 4 x 4 mesh, 48 links of 45 GB/s one way, 2 hosts"
[[nodiscard]] std::string pod_line(const PodRecord& pod);
// "one chip stands for all 4096, ..."; empty where each chip is modelled.
[[nodiscard]] std::string extent_text(const PodRecord& pod);
// Both ends of a dead link are on record: whether this one stands for it.
[[nodiscard]] bool is_first_end(const ici::DeadLinks::End& end, const ici::TorusShape& torus);
// "2 dead links, 0 (0,0) x+ and 5 (1,1) y+: packets take detours"; empty when there are none.
[[nodiscard]] std::string dead_links_text(const PodRecord& pod);

struct RunRecord {
  std::string command;      // "run", "bench"
  std::string file;         // of run
  std::string description;  // of the run file
  PodRecord pod;
  bool with_data = false;
  std::string data_reason;  // why, when it was decided here
  run::Outcome outcome = run::Outcome::kCompleted;
  std::string explanation;
  std::vector<std::string> details;
  std::shared_ptr<const check::WaitForGraph> graph;  // of a hang
  std::vector<StepRecord> steps;
  // Members of the JSON report that are JSON already: key and text.
  std::vector<std::pair<std::string, std::string>> attachments;
  std::vector<Picoseconds> with_links_alive;  // of a pod with dead links: the steps' times without them, if known
};

}  // namespace podsim::report
