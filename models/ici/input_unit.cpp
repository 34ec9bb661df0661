#include "models/ici/input_unit.h"

namespace podsim::ici {

tlm::tlm_sync_enum InputUnit::nb_transport_fw(IciPacket& packet, IciPhase&, sc_core::sc_time&) {
  on_the_way_.push_by_head(packet);
  const Picoseconds next = on_the_way_.front().head;
  if (!arrival_.armed() || arrival_.due() > next) arrival_.arm_at(next);
  return tlm::TLM_ACCEPTED;
}

void InputUnit::head_arrives() {
  IciPacket& packet = on_the_way_.pop();
  if (!on_the_way_.empty()) arrival_.arm_at(on_the_way_.front().head);
  router_.head_arrived(packet, port_);
}

}  // namespace podsim::ici
