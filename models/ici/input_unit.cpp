#include "models/ici/input_unit.h"

namespace podsim::ici {

tlm::tlm_sync_enum InputUnit::nb_transport_fw(IciPacket& packet, IciPhase&, sc_core::sc_time&) {
  on_the_way_.push_by_head(packet);
  const Picoseconds next = on_the_way_.front().head;
  if (!arrival_.armed() || arrival_.due() > next) arrival_.arm_at(next);
  return tlm::TLM_ACCEPTED;
}

void InputUnit::head_arrives() {
  const Picoseconds now = router_.queue_.now();
  while (!on_the_way_.empty() && on_the_way_.front().head <= now) router_.head_arrived(on_the_way_.pop(), port_);
  if (!on_the_way_.empty()) arrival_.arm_at(on_the_way_.front().head);
}

}  // namespace podsim::ici
