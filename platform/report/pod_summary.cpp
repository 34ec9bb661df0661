#include "platform/report/pod_summary.h"

#include <algorithm>
#include <vector>

#include "models/pcie/pcie_overhead.h"

namespace podsim::report {

namespace {

double bandwidth_of(const pod::Pod::Link& link) {
  return static_cast<double>(link.module->config().bandwidth_per_direction.bytes_per_second);
}

Cut cut_across(const pod::Pod& pod, ici::Axis axis) {
  const std::uint32_t middle = pod.torus().axis(axis).size / 2;
  Cut cut{axis};
  for (const pod::Pod::Link& link : pod.links()) {
    const std::uint32_t from = pod.torus().coordinates(link.from)[ici::index(axis)];
    const ChipId target = pod.torus().neighbour(link.from, link.port).value();
    const std::uint32_t to = pod.torus().coordinates(target)[ici::index(axis)];
    if (from >= middle || to < middle) continue;
    ++cut.links;
    cut.bandwidth += bandwidth_of(link);
  }
  return cut;
}

void count_links(const pod::Pod& pod, PodSummary& summary) {
  std::vector<unsigned> links(pod.size());
  std::vector<double> bandwidths(pod.size());
  for (const pod::Pod::Link& link : pod.links()) {
    ++links[index(link.from)];
    bandwidths[index(link.from)] += bandwidth_of(link);
    summary.pod_injection += bandwidth_of(link);
  }
  summary.most_links = *std::max_element(links.begin(), links.end());
  summary.chip_injection = *std::max_element(bandwidths.begin(), bandwidths.end());
}

double peak_bf16(const pod::ChipConfig& chip) {
  const tensor_core::TensorCoreConfig& core = chip.tensor_core;
  const double cells = static_cast<double>(chip.tensor_cores) * core.mxu_count * core.mxu_rows * core.mxu_columns;
  return cells * 2 * core.mxu_bf16_rate.numerator / core.mxu_bf16_rate.denominator *
         static_cast<double>(core.clock.hertz);
}

}  // namespace

Cut bisection(const pod::Pod& pod) {
  Cut best;
  std::uint32_t longest = 1;
  for (unsigned i = 0; i < pod.torus().axes(); ++i) {
    const auto axis = static_cast<ici::Axis>(i);
    const std::uint32_t size = pod.torus().axis(axis).size;
    if (size < longest || size == 1) continue;
    const Cut cut = cut_across(pod, axis);
    if (size > longest || cut.bandwidth < best.bandwidth) best = cut;
    longest = size;
  }
  return best;
}

PodSummary summarise(const pod::Pod& pod) {
  const pod::PodConfig& config = pod.config();
  const pod::ChipConfig& chip = config.chip;
  PodSummary summary;
  summary.pod = record_pod(pod);
  summary.chips_per_host = config.host.chips;
  summary.hop_latency = chip.ici.link.hop_latency;
  count_links(pod, summary);
  summary.tensor_cores = chip.tensor_cores;
  summary.peak_bf16 = peak_bf16(chip);
  summary.hbm_capacity = chip.hbm.capacity;
  summary.hbm_bandwidth = chip.hbm.bandwidth;
  summary.vmem_capacity = chip.vmem.capacity;
  summary.pcie_generation = chip.pcie.generation;
  summary.pcie_lanes = chip.pcie.lanes;
  summary.pcie_bandwidth = pcie::PcieOverhead(chip.pcie).raw_bandwidth();
  summary.host_capacity = config.host.memory.capacity;
  summary.host_bandwidth = config.host.memory.bandwidth;
  summary.root_complex_bandwidth = config.host.root_complex.bandwidth_per_direction;
  summary.cut = bisection(pod);
  return summary;
}

}  // namespace podsim::report
