// The interconnect at flow fidelity: a copy is a fluid that all links of its way carry at once, and copies that meet on
// links share them max-min fairly (max_min_sharing.h). One module for the pod, bound between the chips' network
// interfaces and their routers:
//
//   network interface  --> from_interfaces[chip]   to_routers[chip] --> router
//                      <-- to_interfaces[chip]   from_routers[chip] <--
//
// Data for other chips flows here, over the links that the routers would take; posted writes (signals) go on to the
// routers, which have nothing else to do. Copies that leave a chip by the same link do so in the order of their first
// bytes: the next one begins when those before it leave something of the link (kSpare). A copy's first byte arrives
// when the hops' latency has passed, and so does its last byte when all has flowed:
//
//   forward   kHead  the first byte is there; packet.tail is when the last will be, as the sharing is now
//   forward   kTail  packet.tail is when it is
//   backward  kSent  the last byte has left
//
// Events: a flow's start, the arrival of its first byte, and its end. In a crowd, rates are not shared anew at each of
// them (kPatience); who finds something left takes it at once.
#pragma once

#include <memory>
#include <span>
#include <systemc>
#include <vector>

#include "models/ici/ici_config.h"
#include "models/ici/link.h"
#include "models/ici/max_min_sharing.h"
#include "models/ici/packet.h"
#include "models/ici/router.h"
#include "models/ici/routing.h"
#include "models/kernel/event_queue.h"
#include "models/kernel/probe.h"

namespace podsim::ici {

struct FlowEnded {  // for observers
  const IciPacket& packet;
  Picoseconds start;  // first byte on the first link
  Picoseconds end;    // last byte
  std::span<const MaxMinSharing::LinkIndex> path;
};

class FlowNetwork final : public sc_core::sc_module {
 public:
  sc_core::sc_vector<IciTarget> from_interfaces;  // by chip
  sc_core::sc_vector<IciInitiator> to_interfaces;
  sc_core::sc_vector<IciInitiator> to_routers;
  sc_core::sc_vector<IciTarget> from_routers;
  kernel::Probe<FlowEnded> ended;

  // `links`: by chip and port, chip * link_ports + port; those that don't exist are never used. `shape` and `routing`
  // outlive the network.
  FlowNetwork(sc_core::sc_module_name name, kernel::EventQueue& queue, const IciConfig& config, const TorusShape& shape,
              const Routing& routing, const std::vector<LinkConfig>& links);
  ~FlowNetwork() override;

  // What flows have added to the counters of a link, and of a chip's router. A flow counts when it ends, as the packets
  // that it stands for.
  [[nodiscard]] const LinkStatistics& link_statistics(ChipId from, Port port) const;
  [[nodiscard]] const RouterStatistics& router_statistics(ChipId chip) const { return routers_[index(chip)]; }
  void reset_statistics();
  // True when nothing flows.
  [[nodiscard]] bool idle() const { return flowing_ == 0; }

 private:
  class InterfaceSide;
  class RouterSide;
  class Flow;
  friend class Flow;

  struct Link {
    Picoseconds latency = 0;
    SerialisationTime time;
    MaxMinSharing::Rate capacity = 0;
    // Flows that begin here: those under way, and those that wait for their turn.
    unsigned open = 0;
    Flow* first_waiting = nullptr;
    Flow* last_waiting = nullptr;
    bool listed = false;  // in queues_
  };

  // In a crowd, rates may be unfair for this part of the time that the flow concerned takes.
  static constexpr Picoseconds kPatience = 64;
  // Flows that one sharing may look at, and still be repeated at once.
  static constexpr std::size_t kCrowd = 64;
  // The part of a link that flows must leave for the next one of the same chip to begin.
  static constexpr MaxMinSharing::Rate kSpare = 16;

  void accept(IciPacket& packet);
  // The flow's first byte is there: it begins to flow, or waits for its turn.
  void line_up(Flow& flow);
  [[nodiscard]] bool has_room(MaxMinSharing::LinkIndex first_link) const;
  // Begins the flows that wait for this link, as far as it has room.
  void call_up(MaxMinSharing::LinkIndex first_link);
  void send_head(IciPacket& packet);
  void send_tail(IciPacket& packet);
  void tell_sender(IciPacket& packet);
  void count(const Flow& flow);
  // A flow that takes `duration` has come or gone: sees to it that rates are shared anew in time.
  void shares_changed(Picoseconds duration);
  void share();
  Flow& take_flow();
  void give_back(Flow& flow);

  kernel::EventQueue& queue_;
  const IciConfig config_;
  const TorusShape& shape_;
  const Routing& routing_;
  std::vector<Link> links_;
  MaxMinSharing sharing_;
  std::vector<std::unique_ptr<InterfaceSide>> interface_sides_;
  std::vector<std::unique_ptr<RouterSide>> router_sides_;
  std::vector<std::unique_ptr<Flow>> flows_;  // pool
  Flow* free_flow_ = nullptr;
  std::vector<Flow*> by_id_;                      // by MaxMinSharing::FlowId
  std::vector<MaxMinSharing::LinkIndex> queues_;  // links at which flows wait, or have waited
  std::size_t flowing_ = 0;
  kernel::Timer<FlowNetwork> share_{queue_, this, &FlowNetwork::share};
  std::vector<LinkStatistics> link_statistics_;
  std::vector<RouterStatistics> routers_;
};

}  // namespace podsim::ici
