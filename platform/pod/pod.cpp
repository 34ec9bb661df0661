#include "platform/pod/pod.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/ici/detour_routing.h"
#include "models/ici/flow_network.h"
#include "models/ici/listed_routing.h"
#include "platform/pod/adaptive_bursts.h"
#include "platform/pod/whole_copies.h"

namespace podsim::pod {

namespace {

bool wraps(const AxisConfig& axis, const std::vector<AxisConfig>& axes, const WrapRule& rule) {
  switch (axis.wrap) {
    case Wrap::kYes: return true;
    case Wrap::kNo: return false;
    case Wrap::kAuto: break;
  }
  if (rule.only_size) return axis.size == *rule.only_size;
  // Built of cubes: a pod that is not made of whole ones has no wrap-around links at all.
  return rule.multiple_of && *rule.multiple_of != 0 &&
         std::all_of(axes.begin(), axes.end(), [&](const auto& each) { return each.size % *rule.multiple_of == 0; });
}

// Virtual channels that no deadlock can come of: one, a second for the dateline of wrapped axes, one more for detours.
unsigned channels_needed(const ici::TorusShape& torus, const ici::DeadLinks& dead) {
  if (torus.listed_links() != nullptr) return 1;
  bool wraps = false;
  for (unsigned a = 0; a < torus.axes(); ++a) wraps = wraps || torus.axis(static_cast<ici::Axis>(a)).wrap;
  return (wraps ? 2 : 1) + (dead.empty() ? 0 : 1);
}

std::vector<ici::ListedLink> listed_links(const TopologyConfig& topology) {
  std::vector<ici::ListedLink> links;
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const std::vector<unsigned>& link = topology.links[i];
    if (link.size() != 2) throw ici::ListedLinkError(i, fmt::format("a link joins two chips, not {}", link.size()));
    links.push_back({link[0], link[1]});
  }
  return links;
}

std::unique_ptr<const ici::Routing> make_routing(const ici::TorusShape& torus, const ici::DeadLinks& dead,
                                                 ici::RoutingKind kind, unsigned channels) {
  if (torus.listed_links() != nullptr) return std::make_unique<ici::ListedRouting>(torus, dead, channels);
  const unsigned usual = dead.empty() ? channels : channels - 1;
  std::unique_ptr<const ici::Routing> routing;
  if (kind == ici::RoutingKind::kMinimalBalanced) {
    routing = std::make_unique<ici::MinimalBalancedRouting>(torus, usual);
  } else {
    routing = std::make_unique<ici::DimensionOrderRouting>(torus, usual);
  }
  if (dead.empty()) return routing;
  return std::make_unique<ici::DetourRouting>(torus, dead, std::move(routing), static_cast<std::uint8_t>(usual));
}

std::unique_ptr<ici::TrafficMap> make_traffic_map(const ici::IciConfig& ici, const ici::TorusShape& torus,
                                                  const ici::Routing& routing) {
  if (ici.fidelity != ici::Fidelity::kBurst) return nullptr;
  return std::make_unique<ici::TrafficMap>(torus, routing, ici.packet.bytes);
}

std::unique_ptr<dma::BurstPolicy> make_burst_policy(const ChipConfig& chip, ici::TrafficMap* traffic,
                                                    Bandwidth fastest_link) {
  switch (chip.ici.fidelity) {
    case ici::Fidelity::kPacket: break;
    case ici::Fidelity::kBurst:
      return std::make_unique<AdaptiveBursts>(*traffic, chip.dma.largest_remote_burst(), fastest_link);
    case ici::Fidelity::kFlow: return std::make_unique<WholeCopies>(fastest_link);
  }
  return nullptr;
}

std::unique_ptr<ici::FlowNetwork> make_flows(kernel::EventQueue& queue, const ici::IciConfig& ici,
                                             const ici::TorusShape& torus, const ici::Routing& routing,
                                             const LinkPlan& plan) {
  if (ici.fidelity != ici::Fidelity::kFlow) return nullptr;
  std::vector<ici::LinkConfig> links;
  for (std::uint32_t i = 0; i < torus.chips(); ++i) {
    for (unsigned port = 0; port < torus.link_ports(); ++port) {
      links.push_back(plan.link(static_cast<ChipId>(i), static_cast<ici::Port>(port)));
    }
  }
  return std::make_unique<ici::FlowNetwork>("flows", queue, ici, torus, routing, links);
}

}  // namespace

ici::TorusShape torus_shape(const PodConfig& config) {
  if (config.topology.axes.empty() && config.topology.chips > 0) {
    return ici::TorusShape(ici::LinkGraph(config.topology.chips, listed_links(config.topology)));
  }
  std::vector<ici::AxisShape> axes;
  for (const AxisConfig& axis : config.topology.axes) {
    const bool twice =
        std::any_of(axes.begin(), axes.end(), [&](const auto& other) { return other.name == axis.name; });
    if (twice) throw std::invalid_argument(fmt::format("topology: axis '{}' is there twice", axis.name));
    axes.push_back({axis.name, axis.size, wraps(axis, config.topology.axes, config.wrap_rule)});
  }
  return config.topology.twist ? ici::twist(std::move(axes)) : ici::TorusShape(std::move(axes));
}

void check(const PodConfig& config) {
  const ChipConfig& chip = config.chip;
  const auto require = [](bool holds, const std::string& otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
  };
  require(chip.ici.packet.bytes > 0 && chip.dma.largest_remote_burst() > 0,
          "ici.packet, dma.burst and dma.remote_burst must be more than zero");
  require(chip.ici.packet.bytes <= chip.ici.router.buffer_per_vc.bytes,
          fmt::format("ici.packet ({} bytes) does not fit into ici.buffer_per_vc ({} bytes): it could never be sent",
                      chip.ici.packet.bytes, chip.ici.router.buffer_per_vc.bytes));
  require(chip.dma.burst.bytes <= (Bytes{1} << 30), "dma.burst must be at most 1 GiB");
  require(chip.ici.router.virtual_channels >= 1 && chip.ici.router.virtual_channels <= 3,
          "ici.virtual_channels must be 1 to 3");
  require(
      chip.dma.engines >= 1 && chip.dma.contexts >= 1 && chip.dma.queue_depth >= 1 && chip.dma.outstanding_bursts >= 1,
      "dma: engines, contexts, queue_depth and outstanding_bursts must be at least 1");
  require(chip.dma.contexts <= dma::kMostContexts, fmt::format("dma.contexts must be at most {}", dma::kMostContexts));
  require(chip.dma.contexts + chip.dma.urgent_contexts <= dma::kMostContexts,
          fmt::format("dma.contexts and dma.urgent_contexts must be at most {} together", dma::kMostContexts));
  require(chip.dma.overtakes >= 1 && chip.dma.host_burst.bytes > 0,
          "dma.overtakes must be at least 1, dma.host_burst more than zero");
  require(chip.scalar_core.contexts >= 1, "scalar_core.contexts must be at least 1");
  require(chip.tensor_cores >= 1, "tensor_core.count must be at least 1");
  require(config.host.chips >= 1, "host.chips must be at least 1");
  const unsigned per_switch = config.host.switches.chips;
  require(per_switch == 0 || config.host.chips % per_switch == 0,
          fmt::format("host.switches.chips: the {} chips of a host don't divide among switches of {} each",
                      config.host.chips, per_switch));
  for (const auto& [name, size] :
       {std::pair{"hbm.capacity", chip.hbm.capacity}, std::pair{"vmem.capacity", chip.vmem.capacity},
        std::pair{"host.memory.capacity", config.host.memory.capacity}}) {
    require(size.bytes <= (Bytes{1} << kOffsetBits), fmt::format("{} must be at most 1 TiB", name));
  }
  const ici::TorusShape torus = torus_shape(config);
  const LinkPlan links(config, torus);
  require(!torus.twisted() || chip.ici.routing == ici::RoutingKind::kMinimalBalanced,
          "ici.routing must be minimal_balanced on a twisted torus: dimension order does not know its shortest ways");
  // Without dead links, one channel on a torus is allowed, to show what comes of it.
  const unsigned channels = channels_needed(torus, links.dead());
  require(links.dead().empty() || chip.ici.router.virtual_channels >= channels,
          fmt::format("ici.virtual_channels must be {} with dead links: {}one for detours", channels,
                      channels == 3 ? "two for the dateline of wrapped axes, " : "one for the usual ways, "));
}

namespace {
const PodConfig& checked(const PodConfig& config) {
  check(config);
  return config;
}
}  // namespace

bool chips_are_alike(const PodConfig& config, const ici::TorusShape& torus) {
  if (torus.listed_links() != nullptr || torus.twisted() || !config.links.empty()) return false;
  for (unsigned a = 0; a < torus.axes(); ++a) {
    const ici::AxisShape& axis = torus.axis(static_cast<ici::Axis>(a));
    if (axis.size > 1 && !axis.is_ring()) return false;
  }
  return true;
}

Pod::Pod(const PodConfig& config, bool with_data, Extent extent)
    : config_(config),
      with_data_(with_data),
      torus_(torus_shape(checked(config))),
      link_plan_(config, torus_),
      extent_(extent),
      routing_(
          make_routing(torus_, link_plan_.dead(), config.chip.ici.routing, config.chip.ici.router.virtual_channels)),
      traffic_(make_traffic_map(config.chip.ici, torus_, *routing_)),
      remote_bursts_(make_burst_policy(config.chip, traffic_.get(), link_plan_.fastest())),
      flows_(make_flows(queue_, config.chip.ici, torus_, *routing_, link_plan_)) {
  const chip::Surroundings around{
      queue_.conductor(),   payloads_,      packets_,     torus_,   *routing_, link_plan_.fastest(),
      remote_bursts_.get(), traffic_.get(), flows_.get(), with_data};
  if (extent == Extent::kOneForAll && (with_data || flows_ != nullptr || !chips_are_alike(config, torus_))) {
    throw std::invalid_argument("one chip can't stand for all: the pod's chips are not alike, or data moves");
  }
  chips_.reserve(size());
  for (std::uint32_t i = 0; i < size(); ++i) {
    chips_.push_back(
        std::make_unique<chip::Chip>(fmt::format("chip_{}", i).c_str(), static_cast<ChipId>(i), config_, around));
  }
  connect_links();
  connect_hosts();
}

Pod::~Pod() = default;

void Pod::connect_links() {
  for (std::uint32_t i = 0; i < size(); ++i) {
    const auto from = static_cast<ChipId>(i);
    for (unsigned p = 0; p < torus_.link_ports(); ++p) {
      const auto port = static_cast<ici::Port>(p);
      const auto to = ici::live_neighbour(torus_, link_plan_.dead(), from, port);
      if (!to) continue;
      auto link = std::make_unique<ici::IciLink>(fmt::format("link_{}_{}", i, p).c_str(), link_plan_.link(from, port));
      chip(from).router.links_out[p].bind(link->in);
      chip::Chip& receiver = chip(extent_ == Extent::kOneForAll ? from : *to);
      link->out.bind(receiver.router.links_in[ici::index(torus_.far_port(from, port))]);
      links_.push_back({from, port, std::move(link)});
    }
  }
}

void Pod::connect_hosts() {
  const unsigned per_host = config_.host.chips;
  for (std::uint32_t first = 0; first < size(); first += per_host) {
    const unsigned chips = std::min(per_host, size() - first);
    hosts_.push_back(
        std::make_unique<host::Host>(fmt::format("host_{}", first / per_host).c_str(), config_.host, chips));
    for (unsigned i = 0; i < chips; ++i) {
      chip(static_cast<ChipId>(first + i)).pcie.link.bind(hosts_.back()->port(i));
    }
  }
}

Bytes Pod::host_bytes_per_chip() const { return config_.host.memory.capacity.bytes / config_.host.chips; }

Bytes Pod::host_base(ChipId id) const { return index(id) % config_.host.chips * host_bytes_per_chip(); }

ici::LinkStatistics Pod::link_statistics(const Link& link) const {
  ici::LinkStatistics sum = link.module->statistics();
  if (flows_ != nullptr) {
    const ici::LinkStatistics& flows = flows_->link_statistics(link.from, link.port);
    sum.packets += flows.packets;
    sum.payload_bytes += flows.payload_bytes;
    sum.busy += flows.busy;
  }
  return sum;
}

ici::RouterStatistics Pod::router_statistics(ChipId chip) const {
  ici::RouterStatistics sum = chips_[index(chip)]->router.statistics();
  if (flows_ != nullptr) {
    const ici::RouterStatistics& flows = flows_->router_statistics(chip);
    sum.forwarded += flows.forwarded;
    sum.injected += flows.injected;
    sum.ejected += flows.ejected;
    sum.detours += flows.detours;
    sum.detour_links += flows.detour_links;
  }
  return sum;
}

bool Pod::interconnect_idle() const {
  const bool routers_idle =
      std::all_of(chips_.begin(), chips_.end(), [](const auto& chip) { return chip->router.idle(); });
  return routers_idle && (flows_ == nullptr || flows_->idle());
}

void Pod::reset_statistics() {
  if (flows_ != nullptr) flows_->reset_statistics();
  for (const auto& chip : chips_) {
    chip->scalar_core.reset_statistics();
    chip->hbm.reset_statistics();
    chip->vmem.reset_statistics();
    chip->semaphores.reset_statistics();
    chip->pcie.reset_statistics();
    chip->network_interface.reset_statistics();
    chip->router.reset_statistics();
    for (const auto& engine : chip->dma_engines) engine->reset_statistics();
    for (const auto& core : chip->tensor_cores) core->reset_statistics();
  }
  for (const Link& link : links_) link.module->reset_statistics();
  for (const auto& host : hosts_) {
    host->reset_statistics();
  }
}

}  // namespace podsim::pod
