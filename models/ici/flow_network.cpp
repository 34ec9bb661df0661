#include "models/ici/flow_network.h"

#include <algorithm>

#include "models/ici/flow.h"

namespace podsim::ici {

using sc_core::sc_time;

// What a network interface is bound to: data becomes a flow, everything else goes on to the router.
class FlowNetwork::InterfaceSide final : public IciForward, public IciBackward {
 public:
  InterfaceSide(FlowNetwork& network, std::size_t chip) : network_(network), chip_(chip) {}

 private:
  tlm::tlm_sync_enum nb_transport_fw(IciPacket& packet, IciPhase& phase, sc_time& delay) override {
    if (packet.burst == nullptr || packet.destination == packet.source) {
      return network_.to_routers[chip_]->nb_transport_fw(packet, phase, delay);
    }
    network_.accept(packet);
    return tlm::TLM_ACCEPTED;
  }
  // The network interface answers at once what it is given.
  tlm::tlm_sync_enum nb_transport_bw(IciPacket&, IciPhase&, sc_time&) override { return tlm::TLM_COMPLETED; }

  FlowNetwork& network_;
  const std::size_t chip_;
};

// What a router is bound to: passes on what it says.
class FlowNetwork::RouterSide final : public IciForward, public IciBackward {
 public:
  RouterSide(FlowNetwork& network, std::size_t chip) : network_(network), chip_(chip) {}

 private:
  tlm::tlm_sync_enum nb_transport_fw(IciPacket& packet, IciPhase& phase, sc_time& delay) override {
    return network_.to_interfaces[chip_]->nb_transport_fw(packet, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(IciPacket& packet, IciPhase& phase, sc_time& delay) override {
    return network_.from_interfaces[chip_]->nb_transport_bw(packet, phase, delay);
  }

  FlowNetwork& network_;
  const std::size_t chip_;
};

namespace {
std::vector<MaxMinSharing::Rate> capacities(const std::vector<LinkConfig>& links) {
  std::vector<MaxMinSharing::Rate> rates;
  rates.reserve(links.size());
  for (const LinkConfig& link : links) rates.push_back(link.bandwidth_per_direction.bytes_per_second);
  return rates;
}
}  // namespace

FlowNetwork::FlowNetwork(sc_core::sc_module_name name, kernel::EventQueue& queue, const IciConfig& config,
                         const TorusShape& shape, const Routing& routing, const std::vector<LinkConfig>& links)
    : sc_module(name),
      from_interfaces("from_interfaces", shape.chips()),
      to_interfaces("to_interfaces", shape.chips()),
      to_routers("to_routers", shape.chips()),
      from_routers("from_routers", shape.chips()),
      queue_(queue),
      config_(config),
      shape_(shape),
      routing_(routing),
      sharing_(capacities(links)),
      link_statistics_(links.size()),
      routers_(shape.chips()) {
  for (const LinkConfig& link : links) {
    links_.push_back({link.hop_latency.ps, SerialisationTime(link.bandwidth_per_direction),
                      link.bandwidth_per_direction.bytes_per_second});
  }
  for (std::size_t chip = 0; chip < shape.chips(); ++chip) {
    interface_sides_.push_back(std::make_unique<InterfaceSide>(*this, chip));
    router_sides_.push_back(std::make_unique<RouterSide>(*this, chip));
    from_interfaces[chip].bind(*interface_sides_.back());
    to_interfaces[chip].bind(*interface_sides_.back());
    to_routers[chip].bind(*router_sides_.back());
    from_routers[chip].bind(*router_sides_.back());
  }
}

FlowNetwork::~FlowNetwork() = default;

// --- flows -----------------------------------------------------------------------------------------------------------

void FlowNetwork::accept(IciPacket& packet) {
  ++flowing_;
  take_flow().take(packet);
}

bool FlowNetwork::has_room(MaxMinSharing::LinkIndex first_link) const {
  const Link& link = links_[first_link];
  return link.open == 0 || sharing_.left(first_link) > link.capacity / kSpare;
}

void FlowNetwork::line_up(Flow& flow) {
  const MaxMinSharing::LinkIndex first_link = flow.path().front();
  Link& link = links_[first_link];
  if (link.first_waiting == nullptr && has_room(first_link)) return flow.begin();
  flow.next = nullptr;
  (link.first_waiting != nullptr ? link.last_waiting->next : link.first_waiting) = &flow;
  link.last_waiting = &flow;
  if (!link.listed) queues_.push_back(first_link);
  link.listed = true;
}

void FlowNetwork::call_up(MaxMinSharing::LinkIndex first_link) {
  Link& link = links_[first_link];
  while (link.first_waiting != nullptr && has_room(first_link)) {
    Flow& flow = *link.first_waiting;
    link.first_waiting = flow.next;
    flow.begin();
    if (sharing_.stale()) return;  // what is really left shows when rates have been shared anew
  }
}

void FlowNetwork::send_head(IciPacket& packet) {
  IciPhase phase = IciPhase::kHead;
  sc_time delay = sc_core::SC_ZERO_TIME;
  to_interfaces[index(packet.destination)]->nb_transport_fw(packet, phase, delay);
}

void FlowNetwork::send_tail(IciPacket& packet) {
  IciPhase phase = IciPhase::kTail;
  sc_time delay = sc_time::from_value(static_cast<std::uint64_t>(packet.tail - queue_.now()));
  to_interfaces[index(packet.destination)]->nb_transport_fw(packet, phase, delay);
}

void FlowNetwork::tell_sender(IciPacket& packet) {
  IciPhase phase = IciPhase::kSent;
  sc_time now = sc_core::SC_ZERO_TIME;
  from_interfaces[index(packet.source)]->nb_transport_bw(packet, phase, now);
}

FlowNetwork::Flow& FlowNetwork::take_flow() {
  if (free_flow_ == nullptr) {
    flows_.push_back(std::make_unique<Flow>(*this));
    return *flows_.back();
  }
  Flow& flow = *free_flow_;
  free_flow_ = flow.next;
  return flow;
}

void FlowNetwork::give_back(Flow& flow) {
  --flowing_;
  flow.next = free_flow_;
  free_flow_ = &flow;
}

// --- sharing ---------------------------------------------------------------------------------------------------------

void FlowNetwork::shares_changed(Picoseconds duration) {
  if (!sharing_.stale()) return;
  const bool crowd = sharing_.last_looked_at() > kCrowd;
  const Picoseconds when = queue_.now() + (crowd ? duration / kPatience : 0);
  if (!share_.armed() || share_.due() > when) share_.arm_at(when);
}

void FlowNetwork::share() {
  for (const MaxMinSharing::FlowId id : sharing_.update()) {
    by_id_[static_cast<std::size_t>(id)]->flow_at(sharing_.rate(id));
  }
  for (const MaxMinSharing::LinkIndex first_link : queues_) call_up(first_link);
  std::erase_if(queues_, [&](MaxMinSharing::LinkIndex number) {
    links_[number].listed = links_[number].first_waiting != nullptr;
    return !links_[number].listed;
  });
}

// --- statistics ------------------------------------------------------------------------------------------------------

void FlowNetwork::count(const Flow& flow) {
  const IciPacket& packet = flow.packet();
  const std::uint64_t packets = (packet.bytes + config_.packet.bytes - 1) / config_.packet.bytes;
  for (const MaxMinSharing::LinkIndex number : flow.path()) {
    link_statistics_[number].packets += packets;
    link_statistics_[number].payload_bytes += packet.bytes;
    link_statistics_[number].busy += links_[number].time(flow.bytes());
    RouterStatistics& router = routers_[number / shape_.link_ports()];
    router.forwarded += packets;
    if (packet.detours) router.detour_links += packets;
  }
  routers_[index(packet.source)].injected += packets;
  if (packet.detours) routers_[index(packet.source)].detours += packets;
  routers_[index(packet.destination)].ejected += packets;
}

const LinkStatistics& FlowNetwork::link_statistics(ChipId from, Port port) const {
  return link_statistics_[index(from) * shape_.link_ports() + index(port)];
}

void FlowNetwork::reset_statistics() {
  std::fill(link_statistics_.begin(), link_statistics_.end(), LinkStatistics{});
  std::fill(routers_.begin(), routers_.end(), RouterStatistics{});
}

}  // namespace podsim::ici
