#include "platform/report/run_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/report/number_text.h"

namespace podsim::report {

StepRecord record_step(const pod::Pod& pod, run::StepResult result) {
  StepRecord record;
  record.links = link_use(pod, result.time);
  record.result = std::move(result);
  for (const auto& chip : pod.chips()) {
    ChipStatistics& statistics = record.chips.emplace_back();
    statistics.scalar_core = chip->scalar_core.statistics();
    for (const auto& core : chip->tensor_cores) statistics.tensor_cores.push_back(core->statistics());
    statistics.hbm = chip->hbm.statistics();
    statistics.hbm_dram = chip->hbm.dram_statistics();
    statistics.vmem = chip->vmem.statistics();
    statistics.semaphores = chip->semaphores.statistics();
    for (const auto& engine : chip->dma_engines) statistics.dma_engines.push_back(engine->statistics());
    statistics.pcie = chip->pcie.statistics();
    statistics.network_interface = chip->network_interface.statistics();
    statistics.router = pod.router_statistics(chip->id());
  }
  for (const auto& host : pod.hosts()) {
    HostStatistics& statistics = record.hosts.emplace_back();
    statistics.memory = host->memory.statistics();
    statistics.root_complex = host->root_complex.statistics();
    for (const auto& each : host->switches) statistics.switches.push_back(each->statistics());
    statistics.staging = host->staging.statistics();
  }
  return record;
}

PodRecord record_pod(const pod::Pod& pod) {
  const ici::LinkConfig& usual = pod.config().chip.ici.link;
  const auto changed = std::count_if(pod.links().begin(), pod.links().end(), [&](const pod::Pod::Link& link) {
    const ici::LinkConfig& config = link.module->config();
    return config.bandwidth_per_direction != usual.bandwidth_per_direction || config.hop_latency != usual.hop_latency;
  });
  return {.name = pod.config().name,
          .chip = pod.config().chip.name,
          .torus = pod.torus(),
          .links = pod.links().size() * pod.stands_for(),
          .changed_links = static_cast<std::size_t>(changed),
          .hosts = (pod.torus().chips() + pod.config().host.chips - 1) / pod.config().host.chips,
          .one_for_all = pod.stands_for() > 1,
          .link_bandwidth = usual.bandwidth_per_direction,
          .dead_links = pod.dead_links()};
}

std::string shape_text(const ici::TorusShape& torus) {
  if (torus.listed_links() != nullptr) return fmt::format("listed links, up to {} a chip", torus.link_ports());
  std::vector<std::uint32_t> sizes;
  std::vector<std::string> wrapped;
  std::size_t long_axes = 0;  // those that could wrap
  for (unsigned i = 0; i < torus.axes(); ++i) {
    const ici::AxisShape& axis = torus.axis(static_cast<ici::Axis>(i));
    sizes.push_back(axis.size);
    if (axis.wrap) wrapped.push_back(axis.name);
    if (axis.size > 2) ++long_axes;
  }
  const std::string size = fmt::format("{}", fmt::join(sizes, " x "));
  if (torus.twisted()) return size + " twisted torus";
  if (torus.axes() == 1) return fmt::format("{} of {}", wrapped.empty() ? "line" : "ring", size);
  if (wrapped.empty()) return size + " mesh";
  if (wrapped.size() == long_axes) return size + " torus";
  return fmt::format("{} (wraps {})", size, fmt::join(wrapped, ", "));
}

std::string pod_line(const PodRecord& pod) {
  return fmt::format("{}: {}{}, {}, {} of {} one way{}, {}", pod.name.empty() ? "a pod of its own" : pod.name,
                     count_text(pod.torus.chips(), "chip"), pod.chip.empty() ? "" : fmt::format(" ({})", pod.chip),
                     shape_text(pod.torus), count_text(pod.links, "link"),
                     bandwidth_text(static_cast<double>(pod.link_bandwidth.bytes_per_second)),
                     pod.changed_links > 0 ? fmt::format(" ({} of other speed)", pod.changed_links) : "",
                     count_text(pod.hosts, "host"));
}

std::string extent_text(const PodRecord& pod) {
  if (!pod.one_for_all) return {};
  return fmt::format("one chip stands for all {}, which do the same at the same times (--symmetry off: each)",
                     pod.torus.chips());
}

bool is_first_end(const ici::DeadLinks::End& end, const ici::TorusShape& torus) {
  if (torus.listed_links() == nullptr) return ici::is_plus(end.port);
  return index(end.chip) < index(torus.neighbour(end.chip, end.port).value());
}

std::string dead_links_text(const PodRecord& pod) {
  constexpr std::size_t kMost = 6;
  std::vector<std::string> names;
  for (const ici::DeadLinks::End& end : pod.dead_links.ends()) {
    if (!is_first_end(end, pod.torus)) continue;
    names.push_back(
        fmt::format("{} {} {}", index(end.chip), pod.torus.place(end.chip), direction_text(end.port, pod.torus)));
  }
  if (names.empty()) return {};
  const std::size_t count = names.size();
  if (count > kMost) names.resize(kMost);
  return fmt::format("{}, {}{}: packets take detours", count_text(count, "dead link"), fmt::join(names, ", "),
                     count > kMost ? ", ..." : "");
}

}  // namespace podsim::report
