#include "platform/report/pod_summary.h"

#include <algorithm>
#include <vector>

#include "models/pcie/pcie_overhead.h"

namespace podsim::report {

namespace {

std::uint64_t links_across(const pod::Pod& pod, ici::Axis axis) {
  const std::uint32_t middle = pod.torus().axis(axis).size / 2;
  std::uint64_t links = 0;
  for (const pod::Pod::Link& link : pod.links()) {
    if (ici::axis_of(link.port) != axis) continue;
    const std::uint32_t from = pod.torus().coordinates(link.from)[ici::index(axis)];
    const ChipId target = pod.torus().neighbour(link.from, link.port).value();
    const std::uint32_t to = pod.torus().coordinates(target)[ici::index(axis)];
    if (from < middle && to >= middle) ++links;
  }
  return links;
}

unsigned most_links(const pod::Pod& pod) {
  std::vector<unsigned> links(pod.size());
  for (const pod::Pod::Link& link : pod.links()) ++links[index(link.from)];
  return *std::max_element(links.begin(), links.end());
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
    const Cut cut{axis, links_across(pod, axis)};
    if (size > longest || cut.links < best.links) best = cut;
    longest = size;
  }
  return best;
}

double PodSummary::chip_injection() const {
  return static_cast<double>(most_links) * static_cast<double>(pod.link_bandwidth.bytes_per_second);
}

double PodSummary::pod_injection() const {
  return static_cast<double>(pod.links) * static_cast<double>(pod.link_bandwidth.bytes_per_second);
}

double PodSummary::bisection_bandwidth() const {
  return static_cast<double>(cut.links) * static_cast<double>(pod.link_bandwidth.bytes_per_second);
}

PodSummary summarise(const pod::Pod& pod) {
  const pod::PodConfig& config = pod.config();
  const pod::ChipConfig& chip = config.chip;
  PodSummary summary;
  summary.pod = record_pod(pod);
  summary.chips_per_host = config.host.chips;
  summary.hop_latency = chip.ici.link.hop_latency;
  summary.most_links = most_links(pod);
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
