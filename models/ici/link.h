// One direction of an ICI link between two routers: serialises packets at its bandwidth and delays them by its latency.
//
// Cut-through: a packet's head arrives downstream one latency after it starts, its tail when the last byte has been
// serialised; a packet whose own tail is still on its way into the sender leaves no faster than it comes. The link has
// no queue: the sending router starts a packet only when the link is free, and learns from the returned delay when that
// is again. Credits pass the other way with the same latency.
#pragma once

#include <systemc>

#include "models/ici/ici_config.h"
#include "models/ici/packet.h"
#include "models/kernel/probe.h"

namespace podsim::ici {

struct LinkStatistics {
  std::uint64_t packets = 0;
  Bytes payload_bytes = 0;
  Picoseconds busy = 0;  // serialising, headers included
};

struct LinkTransfer {  // for observers
  const IciPacket& packet;
  Picoseconds start;  // first byte on the link
  Picoseconds end;    // last byte on the link
};

class IciLink final : public sc_core::sc_module, private IciForward, private IciBackward {
 public:
  IciTarget in{"in"};
  IciInitiator out{"out"};
  kernel::Probe<LinkTransfer> transferred;

  IciLink(sc_core::sc_module_name name, const LinkConfig& config);

  [[nodiscard]] const LinkConfig& config() const { return config_; }
  [[nodiscard]] const LinkStatistics& statistics() const { return statistics_; }
  void reset_statistics() { statistics_ = {}; }

 private:
  void end_of_elaboration() override;
  tlm::tlm_sync_enum nb_transport_fw(IciPacket& packet, IciPhase& phase, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(IciPacket& packet, IciPhase& phase, sc_core::sc_time& delay) override;

  const LinkConfig config_;
  const SerialisationTime serialisation_;
  const sc_core::sc_time latency_;
  // What the sockets are bound to, looked up once: packets and credits pass here all the time.
  IciTransport* downstream_ = nullptr;
  IciAnswer* upstream_ = nullptr;
  LinkStatistics statistics_;
};

}  // namespace podsim::ici
