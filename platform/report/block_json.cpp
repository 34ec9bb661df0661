#include "platform/report/block_json.h"

namespace podsim::report {

namespace {

Json place_json(ChipId chip, const ici::TorusShape& torus) {
  const ici::Coordinates coordinates = torus.coordinates(chip);
  return Json(std::vector<std::uint32_t>(coordinates.begin(), coordinates.begin() + torus.axes()));
}

Json to_json(const scalar_core::ScalarCoreStatistics& s) {
  return {{"bus_words", s.bus_words}, {"waits", s.waits}, {"stalled_ps", s.stalled}};
}

Json to_json(const tensor_core::TensorCoreStatistics& s) {
  return {{"commands", s.commands},     {"stalled_writes", s.stalled_writes},
          {"vpu_busy_ps", s.vpu_busy},  {"mxu_busy_ps", s.mxu_busy},
          {"elements", s.elements},     {"flops", s.flops},
          {"bytes_read", s.bytes_read}, {"bytes_written", s.bytes_written},
          {"errors", s.errors},         {"last_error", s.last_error}};
}

Json to_json(const memory::MemoryStatistics& s) {
  return {
      {"reads", s.reads},     {"writes", s.writes}, {"bytes_read", s.bytes_read}, {"bytes_written", s.bytes_written},
      {"refused", s.refused}, {"busy_ps", s.busy},  {"read_time_ps", s.read_time}};
}

Json to_json(const semaphore::SemaphoreStatistics& s) {
  return {{"signals", s.signals}, {"waits", s.waits}, {"waits_that_stalled", s.waits_that_stalled}};
}

Json to_json(const dma::DmaStatistics& s) {
  return {{"descriptors", s.descriptors},
          {"bursts", s.bursts},
          {"local_bytes", s.local_bytes},
          {"remote_bytes", s.remote_bytes},
          {"host_bytes", s.host_bytes},
          {"queue_full", s.queue_full},
          {"faults", s.faults}};
}

Json to_json(const pcie::PcieStatistics& s) {
  return {{"reads", s.reads},
          {"writes", s.writes},
          {"bytes_read", s.bytes_read},
          {"bytes_written", s.bytes_written},
          {"refused", s.refused},
          {"upstream_busy_ps", s.upstream_busy},
          {"downstream_busy_ps", s.downstream_busy}};
}

Json to_json(const ici::NetworkInterfaceStatistics& s) {
  return {{"bytes_sent", s.bytes_sent},     {"bytes_received", s.bytes_received},
          {"packets_sent", s.packets_sent}, {"packets_received", s.packets_received},
          {"signals_sent", s.signals_sent}, {"rejected_writes", s.rejected_writes}};
}

Json to_json(const ici::RouterStatistics& s) {
  return {{"forwarded", s.forwarded}, {"injected", s.injected},         {"ejected", s.ejected},
          {"detours", s.detours},     {"detour_links", s.detour_links}, {"credit_stalls", s.credit_stalls}};
}

template <class Statistics>
Json list_json(const std::vector<Statistics>& all) {
  Json list = Json::array();
  for (const Statistics& each : all) list.push_back(to_json(each));
  return list;
}

}  // namespace

Json links_json(const std::vector<LinkUse>& links, const ici::TorusShape& torus) {
  Json list = Json::array();
  for (const LinkUse& link : links) {
    Json entry = {{"from", index(link.from)}, {"to", index(link.to)}};
    if (torus.listed_links() == nullptr) {
      entry["axis"] = torus.axis(ici::axis_of(link.port)).name;
      entry["direction"] = ici::is_plus(link.port) ? "+" : "-";
    }
    entry["busy_fraction"] = link.busy_fraction;
    entry["bytes"] = link.statistics.payload_bytes;
    entry["packets"] = link.statistics.packets;
    list.push_back(std::move(entry));
  }
  return list;
}

Json chips_json(const std::vector<ChipStatistics>& chips, const ici::TorusShape& torus) {
  Json list = Json::array();
  for (std::uint32_t i = 0; i < chips.size(); ++i) {
    const ChipStatistics& chip = chips[i];
    Json hbm = to_json(chip.hbm);
    hbm["row_misses"] = chip.hbm_dram.row_misses;
    hbm["turnarounds"] = chip.hbm_dram.turnarounds;
    list.push_back({{"chip", i},
                    {"place", place_json(static_cast<ChipId>(i), torus)},
                    {"scalar_core", to_json(chip.scalar_core)},
                    {"tensor_cores", list_json(chip.tensor_cores)},
                    {"hbm", std::move(hbm)},
                    {"vmem", to_json(chip.vmem)},
                    {"semaphores", to_json(chip.semaphores)},
                    {"dma_engines", list_json(chip.dma_engines)},
                    {"pcie", to_json(chip.pcie)},
                    {"network_interface", to_json(chip.network_interface)},
                    {"router", to_json(chip.router)}});
  }
  return list;
}

Json hosts_json(const std::vector<HostStatistics>& hosts) {
  Json list = Json::array();
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    list.push_back(
        {{"host", i},
         {"memory", to_json(hosts[i].memory)},
         {"root_complex", to_json(hosts[i].root_complex)},
         {"switches", list_json(hosts[i].switches)},
         {"staging", {{"bytes_copied", hosts[i].staging.bytes_copied}, {"cpu_busy_ps", hosts[i].staging.cpu_busy}}}});
  }
  return list;
}

}  // namespace podsim::report
