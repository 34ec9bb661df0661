#include "models/ici/input_unit.h"

namespace podsim::ici {

tlm::tlm_sync_enum InputUnit::nb_transport_fw(IciPacket& packet, IciPhase&, sc_core::sc_time&) {
  const Hop hop = router_.routing_.next(router_.here_, port_, packet);
  if (!waits_for_head(packet, hop)) {
    router_.route(packet, port_, hop);
    return tlm::TLM_ACCEPTED;
  }
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
  if (signal) return port_ != Hop::kLocal && !arrived;  // it may have to slip in
  return arrived && packet.tail - packet.head < kLongBurst;
}

void InputUnit::head_arrives() {
  const Picoseconds now = router_.queue_.now();
  while (!on_the_way_.empty() && on_the_way_.front().head <= now) {
    IciPacket& packet = on_the_way_.pop();
    router_.route(packet, port_, router_.routing_.next(router_.here_, port_, packet));
  }
  if (!on_the_way_.empty()) arrival_.arm_at(on_the_way_.front().head);
}

}  // namespace podsim::ici
