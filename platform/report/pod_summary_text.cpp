// The summary of a pod in words, and as JSON.
#include <fmt/format.h>

#include "platform/report/number_text.h"
#include "platform/report/pod_summary.h"
#include "platform/version.h"

namespace podsim::report {

namespace {

std::string rate(Bandwidth bandwidth) { return bandwidth_text(static_cast<double>(bandwidth.bytes_per_second)); }

std::string axes_text(const ici::TorusShape& torus) {
  if (torus.listed_links() != nullptr) return "none: links are listed one by one";
  std::vector<std::string> axes;
  for (unsigned i = 0; i < torus.axes(); ++i) {
    const ici::AxisShape& axis = torus.axis(static_cast<ici::Axis>(i));
    axes.push_back(fmt::format("{}: {}, {}", axis.name, axis.size, axis.wrap ? "wraps" : "no wrap"));
  }
  return fmt::format("{}", fmt::join(axes, "; "));
}

std::string line(const std::string& what, const std::string& text) { return fmt::format("  {:<20}{}\n", what, text); }

}  // namespace

std::string summary_text(const PodSummary& s) {
  const auto chips = static_cast<double>(s.pod.torus.chips());
  const std::string& cut_axis = s.pod.torus.axis(s.cut.axis).name;
  std::string text =
      fmt::format("{}: {}, {}\n", s.pod.name, count_text(s.pod.torus.chips(), "chip"), shape_text(s.pod.torus));
  text += line("chip", s.pod.chip);
  text += line("axes", axes_text(s.pod.torus));
  text += line("links", fmt::format("{} (one way each), {} one way, {} a hop", s.pod.links, rate(s.pod.link_bandwidth),
                                    time_text(s.hop_latency.ps)));
  if (s.pod.changed_links > 0) {
    text += line("", fmt::format("{} of other speed", count_text(s.pod.changed_links, "link")));
  }
  if (const std::string dead = dead_links_text(s.pod); !dead.empty()) text += line("", dead);
  text += line("hosts", fmt::format("{}, up to {} each", s.pod.hosts, count_text(s.chips_per_host, "chip")));
  text += "\nEach chip\n";
  text += line("peak", fmt::format("{} bf16 ({})", decimal_text(s.peak_bf16, "FLOP/s"),
                                   count_text(s.tensor_cores, "TensorCore")));
  text += line("HBM", fmt::format("{}, {}", bytes_text(s.hbm_capacity.bytes), rate(s.hbm_bandwidth)));
  text += line("VMEM", bytes_text(s.vmem_capacity.bytes));
  text += line("injection", fmt::format("{} one way, over up to {}", bandwidth_text(s.chip_injection),
                                        count_text(s.most_links, "link")));
  text += line("PCIe", fmt::format("generation {}, {}, {} one way", s.pcie_generation, count_text(s.pcie_lanes, "lane"),
                                   rate(s.pcie_bandwidth)));
  text += "\nEach host\n";
  text += line("memory", fmt::format("{}, {}", bytes_text(s.host_capacity.bytes), rate(s.host_bandwidth)));
  text += line("root complex", fmt::format("{} one way, shared by its chips", rate(s.root_complex_bandwidth)));
  text += "\nThe pod\n";
  text += line("peak", decimal_text(chips * s.peak_bf16, "FLOP/s") + " bf16");
  text += line("HBM", fmt::format("{}, {}", bytes_text(s.hbm_capacity.bytes * s.pod.torus.chips()),
                                  bandwidth_text(chips * static_cast<double>(s.hbm_bandwidth.bytes_per_second))));
  text += line("injection",
               fmt::format("{}: all {}, one way", bandwidth_text(s.pod_injection), count_text(s.pod.links, "link")));
  text +=
      line("bisection",
           fmt::format("{} one way: {} {}", bandwidth_text(s.cut.bandwidth), count_text(s.cut.links, "link"),
                       s.pod.torus.listed_links() != nullptr
                           ? fmt::format("from chips below {} to the others", s.pod.torus.chips() / 2)
                           : fmt::format("across the middle of axis {}, the longest, wrap-around included", cut_axis)));
  return text;
}

Json summary_json(const PodSummary& s) {
  Json axes = Json::array();
  for (unsigned i = 0; i < s.pod.torus.axes(); ++i) {
    const ici::AxisShape& axis = s.pod.torus.axis(static_cast<ici::Axis>(i));
    axes.push_back({{"name", axis.name}, {"size", axis.size}, {"wrap", axis.wrap}});
  }
  Json json;
  json["podsim"] = version();
  json["command"] = "describe";
  json["pod"] = s.pod.name;
  json["chip"] = s.pod.chip;
  json["chips"] = s.pod.torus.chips();
  json["shape"] = shape_text(s.pod.torus);
  json["axes"] = std::move(axes);
  json["links"] = s.pod.links;
  json["changed_links"] = s.pod.changed_links;
  json["dead_links"] = s.pod.dead_links.ends().size() / 2;
  json["link_bandwidth_Bps"] = s.pod.link_bandwidth.bytes_per_second;
  json["hop_latency_ps"] = s.hop_latency.ps;
  json["hosts"] = s.pod.hosts;
  json["chips_per_host"] = s.chips_per_host;
  json["tensor_cores_per_chip"] = s.tensor_cores;
  json["chip_peak_bf16_FLOPps"] = s.peak_bf16;
  json["chip_hbm_bytes"] = s.hbm_capacity.bytes;
  json["chip_hbm_Bps"] = s.hbm_bandwidth.bytes_per_second;
  json["chip_vmem_bytes"] = s.vmem_capacity.bytes;
  json["chip_links"] = s.most_links;
  json["chip_injection_Bps"] = s.chip_injection;
  json["chip_pcie_Bps"] = s.pcie_bandwidth.bytes_per_second;
  json["host_memory_bytes"] = s.host_capacity.bytes;
  json["host_memory_Bps"] = s.host_bandwidth.bytes_per_second;
  json["host_root_complex_Bps"] = s.root_complex_bandwidth.bytes_per_second;
  json["pod_peak_bf16_FLOPps"] = s.peak_bf16 * s.pod.torus.chips();
  json["pod_hbm_bytes"] = s.hbm_capacity.bytes * s.pod.torus.chips();
  json["pod_injection_Bps"] = s.pod_injection;
  json["bisection_axis"] = s.pod.torus.axis(s.cut.axis).name;
  json["bisection_links"] = s.cut.links;
  json["bisection_Bps"] = s.cut.bandwidth;
  return json;
}

}  // namespace podsim::report
