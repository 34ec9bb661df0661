// Input port of a router: holds the packets whose heads are still on the link, and hands each to the router when its
// head arrives. Buffer space is accounted for by the credits of the router upstream.
//
// Burst fidelity hands over at once what nobody can get ahead of, and saves the event: signals that are injected here,
// and what has reached its chip. Long bursts take their share of the memory's bandwidth at the time at which they come,
// whenever that is settled; short ones would have to reserve it ahead of others that come before them.
#pragma once

#include "models/ici/packet_pool.h"
#include "models/ici/router.h"

namespace podsim::ici {

class InputUnit final : public IciForward {
 public:
  // `port` is the link port, or Hop::kLocal for the injection port.
  InputUnit(Router& router, std::uint8_t port) : router_(router), port_(port) {}

  [[nodiscard]] bool idle() const { return on_the_way_.empty(); }

 private:
  tlm::tlm_sync_enum nb_transport_fw(IciPacket& packet, IciPhase& phase, sc_core::sc_time& delay) override;
  void head_arrives();
  [[nodiscard]] bool may_go_ahead(const IciPacket& packet) const;

  static constexpr Picoseconds kLongBurst = 4 * kPicosecondsPerMicrosecond;

  Router& router_;
  const std::uint8_t port_;
  PacketQueue on_the_way_;  // ordered by head time
  kernel::Timer<InputUnit> arrival_{router_.queue_, this, &InputUnit::head_arrives};
};

}  // namespace podsim::ici
