// Output port of a router: the packets that wait for its link, or are on their way to this router and will go there;
// the credits of the router at the other end; and the moment at which the link is free again.
//
// One timer drives it: it is armed for the next moment at which something may be sent.
#pragma once

#include "models/ici/credit_counter.h"
#include "models/ici/router.h"
#include "models/ici/switch_allocator.h"

namespace podsim::ici {

class OutputUnit final : public IciBackward {
 public:
  OutputUnit(Router& router, std::uint8_t port);

  // The link; null at the edge of a mesh.
  void bind(IciTransport* link) { link_ = link; }
  // Queues a packet that comes by `in_port`; its head may still be on the way.
  void accept(IciPacket& packet, std::uint8_t in_port);

  [[nodiscard]] bool idle() const;
  // Router::for_each_waiting, for this output.
  void for_each_waiting(const std::function<void(const WaitingPacket&)>& visit) const;

 private:
  tlm::tlm_sync_enum nb_transport_bw(IciPacket& packet, IciPhase& phase, sc_core::sc_time& delay) override;
  // Arms the timer for `when`, unless it is armed for an earlier time.
  void wake_at(Picoseconds when);
  void attempt();
  void tell_sender();
  // Sends the packet that goes next, if there is one that may go now.
  void allocate();
  void send(IciPacket& packet, unsigned waited_in);
  // Puts a packet on the link, its first byte at `start`; returns when its last byte has left.
  Picoseconds forward(IciPacket& packet, std::uint8_t in_port, Picoseconds start);
  // Burst fidelity: a signal goes between two packets of the piece that is on the link.
  [[nodiscard]] bool slips_in(const IciPacket& packet) const;
  void slip_in(IciPacket& packet, std::uint8_t in_port);

  Router& router_;
  IciTransport* link_ = nullptr;
  const std::uint8_t port_;
  bool lacks_credit_ = false;      // something was held up by that alone
  Picoseconds started_ = 0;        // start of the packet on the link
  Picoseconds free_at_ = 0;        // its end
  IciPacket* injected_ = nullptr;  // the packet on the link, if its sender wants to know when it has left
  kernel::Timer<OutputUnit> attempt_{router_.queue_, this, &OutputUnit::attempt};
  CreditCounter credits_;
  SwitchAllocator waiting_;
};

}  // namespace podsim::ici
