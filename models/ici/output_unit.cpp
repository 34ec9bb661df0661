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

OutputUnit::OutputUnit(Router& router, std::uint8_t port)
    : router_(router), port_(port), credits_(router.config_.virtual_channels, router.config_.buffer_per_vc.bytes) {}

bool OutputUnit::idle() const { return waiting_.empty() && (!router_.mode_.credits || credits_.all_home()); }

void OutputUnit::wake_at(Picoseconds when) {
  if (!attempt_.armed() || attempt_.due() > when) attempt_.arm_at(when);
}

void OutputUnit::accept(IciPacket& packet, std::uint8_t in_port) {
  if (slips_in(packet)) return slip_in(packet, in_port);
  waiting_.enqueue(packet, queue_of(packet, in_port, router_.link_ports_, router_.config_.virtual_channels),
                   class_of(packet, in_port, port_));
  const Picoseconds now = router_.queue_.now();
  const Picoseconds earliest = std::max(packet.head, free_at_);
  if (earliest > now) return wake_at(earliest);
  allocate();
}

void OutputUnit::for_each_waiting(const std::function<void(const WaitingPacket&)>& visit) const {
  const unsigned channels = router_.config_.virtual_channels;
  waiting_.for_each_head([&](unsigned queue, const IciPacket& packet) {
    const bool from_here = queue >= router_.link_ports_ * channels;
    visit({packet, port_, from_here ? Hop::kLocal : static_cast<std::uint8_t>(queue / channels)});
  });
}

void OutputUnit::attempt() {
  if (injected_ != nullptr && router_.queue_.now() >= free_at_) tell_sender();
  allocate();
}

void OutputUnit::tell_sender() {
  IciPacket& packet = *injected_;
  injected_ = nullptr;
  IciPhase phase = IciPhase::kSent;
  sc_core::sc_time now = sc_core::SC_ZERO_TIME;
  router_.inputs_.back()->back().nb_transport_bw(packet, phase, now);
  release(packet);
}

void OutputUnit::allocate() {
  if (waiting_.empty()) return;
  const Picoseconds now = router_.queue_.now();
  if (now < free_at_) return wake_at(free_at_);
  lacks_credit_ = false;
  Picoseconds next = SwitchAllocator::kNever;
  unsigned queue = 0;
  IciPacket* packet = waiting_.grant(
      now,
      [&](const IciPacket& first) {
        const bool may_go = !router_.mode_.credits || credits_.take(now, first.next_channel, first.bytes);
        lacks_credit_ = lacks_credit_ || !may_go;
        return may_go;
      },
      queue, next);
  if (packet != nullptr) return send(*packet, queue);

  if (lacks_credit_) {
    ++router_.statistics_.credit_stalls;
    if (credits_.expects_credit()) next = std::min(next, credits_.next_credit());
  }
  if (next != SwitchAllocator::kNever) wake_at(next);
}

void OutputUnit::send(IciPacket& packet, unsigned waited_in) {
  const unsigned channels = router_.config_.virtual_channels;
  const bool from_here = waited_in >= router_.link_ports_ * channels;
  const bool tells_sender = from_here && packet.last_of_burst;
  if (tells_sender) {
    hold(packet);
    injected_ = &packet;
  }
  started_ = router_.queue_.now();
  free_at_ = forward(packet, from_here ? Hop::kLocal : static_cast<std::uint8_t>(waited_in / channels), started_);
  if (tells_sender || !waiting_.empty()) wake_at(free_at_);
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
  link_->nb_transport_fw(packet, phase, delay);
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
  const Picoseconds here = std::max(router_.queue_.now(), packet.head);
  const Picoseconds packet_time = router_.mode_.packet_time;
  const Picoseconds into_packet = std::max(here - started_, Picoseconds{0}) % packet_time;
  forward(packet, in_port,
          std::max(here, std::min(here + (into_packet > 0 ? packet_time - into_packet : 0), free_at_)));
}

tlm::tlm_sync_enum OutputUnit::nb_transport_bw(IciPacket& packet, IciPhase&, sc_core::sc_time& delay) {
  const Picoseconds when = router_.queue_.now() + static_cast<Picoseconds>(delay.value());
  credits_.give(when, packet.freed_channel, packet.bytes);
  if (lacks_credit_) wake_at(std::max(when, free_at_));
  return tlm::TLM_ACCEPTED;
}

}  // namespace podsim::ici
