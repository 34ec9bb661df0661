#include "models/ici/output_unit.h"

#include <algorithm>

#include "models/ici/input_unit.h"

namespace podsim::ici {

namespace {

// One queue for each input port and virtual channel, then one for data and one for signals injected here.
unsigned queue_of(const IciPacket& packet, std::uint8_t in_port, unsigned link_ports, unsigned channels) {
  if (in_port != Hop::kLocal) return in_port * channels + packet.channel;
  return link_ports * channels + (packet.burst == nullptr ? 1 : 0);
}

SwitchAllocator::Class class_of(const IciPacket& packet, std::uint8_t in_port, std::uint8_t out_port) {
  if (in_port == Hop::kLocal) {
    return packet.burst == nullptr ? SwitchAllocator::Class::kSignal : SwitchAllocator::Class::kInjection;
  }
  // A packet going straight leaves by the port opposite to the one it came in by: it came in on the link that ends at
  // the port of its own axis facing back.
  return in_port == (out_port ^ 1) ? SwitchAllocator::Class::kStraight : SwitchAllocator::Class::kTurn;
}

}  // namespace

OutputUnit::OutputUnit(Router& router, std::uint8_t port, unsigned inputs)
    : router_(router),
      port_(port),
      waiting_((inputs - 1) * router.config_.virtual_channels + 2),
      credits_(router.config_.virtual_channels, router.config_.buffer_per_vc.bytes) {}

bool OutputUnit::idle() const { return waiting_.empty() && (!router_.mode_.credits || credits_.all_home()); }

void OutputUnit::accept(IciPacket& packet, std::uint8_t in_port) {
  if (slips_in(packet)) return slip_in(packet, in_port);
  waiting_.enqueue(packet, queue_of(packet, in_port, router_.link_ports_, router_.config_.virtual_channels),
                   class_of(packet, in_port, port_));
  allocate();
}

void OutputUnit::for_each_waiting(const std::function<void(const WaitingPacket&)>& visit) const {
  const unsigned channels = router_.config_.virtual_channels;
  waiting_.for_each_head([&](unsigned queue, const IciPacket& packet) {
    const bool from_here = queue >= router_.link_ports_ * channels;
    visit({packet, port_, from_here ? Hop::kLocal : static_cast<std::uint8_t>(queue / channels)});
  });
}

void OutputUnit::link_free() {
  if (IciPacket* packet = injected_) {
    injected_ = nullptr;
    IciPhase phase = IciPhase::kSent;
    sc_core::sc_time now = sc_core::SC_ZERO_TIME;
    router_.inject->nb_transport_bw(*packet, phase, now);
    release(*packet);
  }
  allocate();
}

void OutputUnit::allocate() {
  if (waiting_.empty()) return;
  const Picoseconds now = router_.queue_.now();
  if (now < free_at_ || link_free_.armed()) {
    if (!link_free_.armed()) link_free_.arm_at(free_at_);
    return;
  }
  unsigned queue = 0;
  IciPacket* packet = waiting_.grant(
      [&](const IciPacket& head) {
        return !router_.mode_.credits || credits_.take(now, head.next_channel, head.bytes);
      },
      queue);
  if (packet != nullptr) return send(*packet, queue);

  ++router_.statistics_.credit_stalls;
  if (credits_.expects_credit()) credit_.arm_at(credits_.next_credit());
}

void OutputUnit::send(IciPacket& packet, unsigned waited_in) {
  const unsigned channels = router_.config_.virtual_channels;
  const bool from_here = waited_in >= router_.link_ports_ * channels;
  const bool tell_sender = from_here && packet.last_of_burst;
  if (tell_sender) {
    hold(packet);
    injected_ = &packet;
  }
  // A packet from this chip may have been queued a little before its first byte is there.
  started_ = std::max(packet.head, router_.queue_.now());
  free_at_ = forward(packet, from_here ? Hop::kLocal : static_cast<std::uint8_t>(waited_in / channels), started_);
  if (tell_sender || !waiting_.empty()) link_free_.arm_at(free_at_);
}

Picoseconds OutputUnit::forward(IciPacket& packet, std::uint8_t in_port, Picoseconds start) {
  const std::uint8_t held_channel = packet.channel;
  packet.channel = packet.next_channel;
  take_link(packet, port_);
  ++router_.statistics_.forwarded;
  if (packet.detours) ++router_.statistics_.detour_links;
  const Picoseconds now = router_.queue_.now();
  IciPhase phase = IciPhase::kHead;
  sc_core::sc_time delay = sc_core::sc_time::from_value(static_cast<std::uint64_t>(start - now));
  router_.links_out[port_]->nb_transport_fw(packet, phase, delay);
  const Picoseconds end = now + static_cast<Picoseconds>(delay.value());
  if (in_port != Hop::kLocal) router_.leaves_input(packet, in_port, held_channel, end);
  return end;
}

bool OutputUnit::slips_in(const IciPacket& packet) const {
  return router_.mode_.packet_time > 0 && packet.burst == nullptr && router_.queue_.now() < free_at_;
}

void OutputUnit::slip_in(IciPacket& packet, std::uint8_t in_port) {
  // The piece stands for a train of packets, and the signal waits for the end of the one that is on the link. What it
  // adds to the piece's time, a few bytes, is left out.
  const Picoseconds now = router_.queue_.now();
  const Picoseconds packet_time = router_.mode_.packet_time;
  const Picoseconds into_packet = std::max(now - started_, Picoseconds{0}) % packet_time;
  forward(packet, in_port, std::min(now + (into_packet > 0 ? packet_time - into_packet : 0), free_at_));
}

tlm::tlm_sync_enum OutputUnit::nb_transport_bw(IciPacket& packet, IciPhase&, sc_core::sc_time& delay) {
  const Picoseconds when = router_.queue_.now() + static_cast<Picoseconds>(delay.value());
  credits_.give(when, packet.freed_channel, packet.bytes);
  // Only an output that has something to send and a free link waits for credit.
  const bool blocked = !waiting_.empty() && !link_free_.armed() && free_at_ <= router_.queue_.now();
  if (blocked && (!credit_.armed() || credit_.due() > when)) credit_.arm_at(when);
  return tlm::TLM_ACCEPTED;
}

}  // namespace podsim::ici
