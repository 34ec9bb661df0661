#include "models/ici/input_unit.h"

namespace podsim::ici {

tlm::tlm_sync_enum InputUnit::nb_transport_fw(IciPacket& packet, IciPhase&, sc_core::sc_time&) {
  if (may_go_ahead(packet)) {
    router_.head_arrived(packet, port_);
    return tlm::TLM_ACCEPTED;
  }
  on_the_way_.push_by_head(packet);
  const Picoseconds next = on_the_way_.front().head;
  if (!arrival_.armed() || arrival_.due() > next) arrival_.arm_at(next);
  return tlm::TLM_ACCEPTED;
}

bool InputUnit::may_go_ahead(const IciPacket& packet) const {
  if (router_.mode_.packet_time == 0) return false;
  const bool signal = packet.burst == nullptr;
  if (port_ == Hop::kLocal) return signal;
  const bool arrived = router_.routing_.next(router_.here_, port_, packet).port == Hop::kLocal;
  return arrived && (signal || packet.tail - packet.head >= kLongBurst);
}

void InputUnit::head_arrives() {
  const Picoseconds now = router_.queue_.now();
  while (!on_the_way_.empty() && on_the_way_.front().head <= now) router_.head_arrived(on_the_way_.pop(), port_);
  if (!on_the_way_.empty()) arrival_.arm_at(on_the_way_.front().head);
}

}  // namespace podsim::ici
