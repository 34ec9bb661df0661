// Input port of a router. A packet is routed when it starts towards this port: it then lies in the virtual output queue
// of its output, and its head arrives later without an event of its own. Buffer space is accounted for by the credits
// of the router upstream. What has reached its chip, and what has to be dealt with the moment it comes, is held here
// until its head arrives.
//
// Burst fidelity hands over at once what nobody can get ahead of: signals that are injected here. Signals that have
// reached their chip are held until their last byte is there, which is when they count.
#pragma once

#include "models/ici/packet_pool.h"
#include "models/ici/router.h"

namespace podsim::ici {

class InputUnit final : public IciForward {
 public:
  // `port` is the link port, or Hop::kLocal for the injection port.
  InputUnit(Router& router, std::uint8_t port) : router_(router), port_(port) {}

  [[nodiscard]] bool idle() const { return on_the_way_.empty(); }
  // The way back to whoever sends to this port; null where nobody does.
  void bind(IciAnswer* back) { back_ = back; }
  [[nodiscard]] IciAnswer& back() { return *back_; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(IciPacket& packet, IciPhase& phase, sc_core::sc_time& delay) override;
  void head_arrives();
  [[nodiscard]] bool waits_for_head(const IciPacket& packet, const Hop& hop) const;

  Router& router_;
  const std::uint8_t port_;
  IciAnswer* back_ = nullptr;
  PacketQueue on_the_way_;  // ordered by head time
  kernel::Timer<InputUnit> arrival_{router_.queue_, this, &InputUnit::head_arrives, port_};
};

}  // namespace podsim::ici
