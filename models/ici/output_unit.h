// Output port of a router: the packets that wait for its link, the credits of the router at the other end, and the
// moment at which the link is free again.
#pragma once

#include "models/ici/credit_counter.h"
#include "models/ici/router.h"
#include "models/ici/switch_allocator.h"

namespace podsim::ici {

class OutputUnit final : public IciBackward {
 public:
  OutputUnit(Router& router, std::uint8_t port, unsigned inputs);

  // Queues a packet that came by `in_port` and sends it at once if it can go.
  void accept(IciPacket& packet, std::uint8_t in_port);

  [[nodiscard]] bool idle() const;
  // Router::for_each_waiting, for this output.
  void for_each_waiting(const std::function<void(const WaitingPacket&)>& visit) const;

 private:
  tlm::tlm_sync_enum nb_transport_bw(IciPacket& packet, IciPhase& phase, sc_core::sc_time& delay) override;
  void link_free();
  void credit_arrived() { allocate(); }
  void allocate();
  void send(IciPacket& packet, unsigned waited_in);
  // Puts a packet on the link, its first byte at `start`; returns when its last byte has left.
  Picoseconds forward(IciPacket& packet, std::uint8_t in_port, Picoseconds start);
  // Burst fidelity: a signal goes between two packets of the piece that is on the link.
  [[nodiscard]] bool slips_in(const IciPacket& packet) const;
  void slip_in(IciPacket& packet, std::uint8_t in_port);

  Router& router_;
  const std::uint8_t port_;
  SwitchAllocator waiting_;
  CreditCounter credits_;
  Picoseconds started_ = 0;        // start of the packet on the link
  Picoseconds free_at_ = 0;        // its end
  IciPacket* injected_ = nullptr;  // the packet on the link, if its sender wants to know when it has left
  kernel::Timer<OutputUnit> link_free_{router_.queue_, this, &OutputUnit::link_free};
  kernel::Timer<OutputUnit> credit_{router_.queue_, this, &OutputUnit::credit_arrived};
};

}  // namespace podsim::ici
