#include "models/ici/input_unit.h"

#include <stdexcept>

namespace podsim::ici {

tlm::tlm_sync_enum InputUnit::nb_transport_fw(IciPacket& packet, IciPhase&, sc_core::sc_time&) {
  const Hop hop = router_.routing_.next(router_.here_, port_, packet);
  if (!waits_for_head(packet, hop)) {
    // Within the call of another chip, which may be ahead of this one.
    if (port_ != Hop::kLocal && router_.queue_.conductor().runs_ahead()) {
      throw std::logic_error("a copy over several links while chips run ahead of each other");
    }
    router_.route(packet, port_, hop);
    return tlm::TLM_ACCEPTED;
  }
  if (router_.mode_.packet_time > 0 && packet.burst == nullptr && hop.port == Hop::kLocal) packet.head = packet.tail;
  packet.next_channel = hop.channel;
  packet.out_port = hop.port;
  on_the_way_.push_by_head(packet);
  const Picoseconds next = on_the_way_.front().head;
  if (!arrival_.armed() || arrival_.due() > next) arrival_.arm_at(next);
  return tlm::TLM_ACCEPTED;
}

bool InputUnit::waits_for_head(const IciPacket& packet, const Hop& hop) const {
  const bool burst_fidelity = router_.mode_.packet_time > 0;
  const bool signal = packet.burst == nullptr;
  const bool arrived = hop.port == Hop::kLocal;
  if (!burst_fidelity) return arrived;
  if (signal) return port_ != Hop::kLocal;  // it may have to slip in
  return arrived;
}

void InputUnit::head_arrives() {
  const Picoseconds now = router_.queue_.now();
  while (!on_the_way_.empty() && on_the_way_.front().head <= now) {
    IciPacket& packet = on_the_way_.pop();
    router_.route(packet, port_, {packet.out_port, packet.next_channel});
  }
  if (!on_the_way_.empty()) arrival_.arm_at(on_the_way_.front().head);
}

}  // namespace podsim::ici
