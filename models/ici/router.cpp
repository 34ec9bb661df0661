#include "models/ici/router.h"

#include <algorithm>

#include "models/ici/input_unit.h"
#include "models/ici/output_unit.h"

namespace podsim::ici {

namespace {
// The network interface stores at once what it is given, so nothing ever comes back from it.
struct EjectionPort final : IciBackward {
  tlm::tlm_sync_enum nb_transport_bw(IciPacket&, IciPhase&, sc_core::sc_time&) override { return tlm::TLM_COMPLETED; }
};
}  // namespace

Router::Router(sc_core::sc_module_name name, kernel::EventQueue& queue, const RouterConfig& config,
               const RouterMode& mode, const Routing& routing, unsigned link_ports, const Coordinates& here)
    : sc_module(name),
      links_in("links_in", link_ports),
      links_out("links_out", link_ports),
      queue_(queue),
      config_(config),
      mode_(mode),
      routing_(routing),
      here_(here),
      link_ports_(link_ports),
      ejection_(std::make_unique<EjectionPort>()) {
  for (unsigned port = 0; port < link_ports; ++port) {
    inputs_.push_back(std::make_unique<InputUnit>(*this, static_cast<std::uint8_t>(port)));
    outputs_.push_back(std::make_unique<OutputUnit>(*this, static_cast<std::uint8_t>(port)));
    links_in[port].bind(*inputs_[port]);
    links_out[port].bind(*outputs_[port]);
  }
  inputs_.push_back(std::make_unique<InputUnit>(*this, Hop::kLocal));
  inject.bind(*inputs_.back());
  eject.bind(*ejection_);
}

Router::~Router() = default;

void Router::for_each_waiting(const std::function<void(const WaitingPacket&)>& visit) const {
  for (const auto& output : outputs_) output->for_each_waiting(visit);
}

bool Router::idle() const {
  return std::all_of(inputs_.begin(), inputs_.end(), [](const auto& input) { return input->idle(); }) &&
         std::all_of(outputs_.begin(), outputs_.end(), [](const auto& output) { return output->idle(); });
}

// What the sockets are bound to, looked up once; null at the edge of a mesh.
void Router::end_of_elaboration() {
  for (unsigned port = 0; port < link_ports_; ++port) {
    outputs_[port]->bind(dynamic_cast<IciTransport*>(links_out[port].get_interface()));
    inputs_[port]->bind(dynamic_cast<IciAnswer*>(links_in[port].get_base_port().get_interface()));
  }
  inputs_.back()->bind(dynamic_cast<IciAnswer*>(inject.get_base_port().get_interface()));
}

void Router::route(IciPacket& packet, std::uint8_t in_port, const Hop& hop) {
  if (in_port == Hop::kLocal) {
    ++statistics_.injected;
    if (packet.detours) ++statistics_.detours;
  }
  if (hop.port == Hop::kLocal) return eject_here(packet, in_port);
  packet.next_channel = hop.channel;
  outputs_[hop.port]->accept(packet, in_port);
}

void Router::eject_here(IciPacket& packet, std::uint8_t in_port) {
  ++statistics_.ejected;
  hold(packet);  // the network interface may be done with it at once; the credit still needs its fields
  IciPhase phase = IciPhase::kHead;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  eject->nb_transport_fw(packet, phase, delay);  // answers when the packet has been stored
  leaves_input(packet, in_port, packet.channel, queue_.now() + static_cast<Picoseconds>(delay.value()));
  release(packet);
}

void Router::leaves_input(IciPacket& packet, std::uint8_t in_port, std::uint8_t channel, Picoseconds when) {
  sc_core::sc_time delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(when - queue_.now()));
  if (in_port != Hop::kLocal) {
    if (!mode_.credits) return;
    packet.freed_channel = channel;
    IciPhase phase = IciPhase::kCredit;
    inputs_[in_port]->back().nb_transport_bw(packet, phase, delay);
  } else if (packet.last_of_burst) {  // sent to this very chip
    IciPhase phase = IciPhase::kSent;
    inputs_.back()->back().nb_transport_bw(packet, phase, delay);
  }
}

}  // namespace podsim::ici
