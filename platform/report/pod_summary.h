// What a pod is and could do at best: figures from its configuration and from what was built.
#pragma once

#include <string>

#include "platform/report/block_json.h"
#include "platform/report/run_record.h"

namespace podsim::report {

// The links that cross the middle of an axis, in the direction of one half.
struct Cut {
  ici::Axis axis{};
  std::uint64_t links = 0;
  double bandwidth = 0;  // of all of them, bytes per second
};

// Bisection: the cut through the middle of the longest axis into [0, size/2) and [size/2, size), counting the links one
// way, wrap-around links included. Of several longest axes, the one with the least bandwidth across. Without links (a
// single chip), an empty cut.
[[nodiscard]] Cut bisection(const pod::Pod& pod);

struct PodSummary {
  PodRecord pod;
  unsigned chips_per_host = 0;
  Duration hop_latency;
  unsigned most_links = 0;  // that leave a chip

  unsigned tensor_cores = 0;
  double peak_bf16 = 0;  // FLOP/s of a chip: TensorCores x MXUs x rows x columns x 2 x bf16_rate x clock
  ByteSize hbm_capacity;
  Bandwidth hbm_bandwidth;
  ByteSize vmem_capacity;
  unsigned pcie_generation = 0;
  unsigned pcie_lanes = 0;
  Bandwidth pcie_bandwidth;  // one way, after line coding
  ByteSize host_capacity;
  Bandwidth host_bandwidth;
  Bandwidth root_complex_bandwidth;

  Cut cut;

  // One way, bytes per second: what all outgoing links of the best connected chip, or of the pod, carry together.
  double chip_injection = 0;
  double pod_injection = 0;
};

[[nodiscard]] PodSummary summarise(const pod::Pod& pod);

[[nodiscard]] std::string summary_text(const PodSummary& summary);
[[nodiscard]] Json summary_json(const PodSummary& summary);

}  // namespace podsim::report
