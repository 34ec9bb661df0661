// A chip's ICI router: virtual cut-through, dimension order, virtual channels with a dateline, credits.
//
//                  links_in[p] --> InputUnit --+                +--> OutputUnit --> links_out[p]
//   (from network interface) inject --> InputUnit --+ crossbar --+--> eject (to network interface)
//
// A packet is routed (InputUnit) and waits in the virtual output queue of its output until its head is there, the
// switch allocator grants it (SwitchAllocator), room downstream is certain (CreditCounter) and the link is free
// (OutputUnit). The input buffers have a read port for every output: two packets of one input leave by different links
// at the same time. Packets for this chip leave through `eject` as soon as their head is there; memory bandwidth is
// their limit.
#pragma once

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "models/ici/ici_config.h"
#include "models/ici/packet.h"
#include "models/ici/routing.h"
#include "models/kernel/event_queue.h"

namespace podsim::ici {

struct RouterStatistics {
  std::uint64_t forwarded = 0;  // packets sent on a link, injected ones included
  std::uint64_t injected = 0;
  std::uint64_t ejected = 0;
  std::uint64_t detours = 0;        // packets injected that go round a dead link
  std::uint64_t detour_links = 0;   // links that such packets, from any chip, took from here
  std::uint64_t credit_stalls = 0;  // times an output had packets and a free link, but no credit for any
};

// A packet that is the next of its queue for an output, for observers.
struct WaitingPacket {
  const IciPacket& packet;
  std::uint8_t out_port;
  std::uint8_t in_port;  // Hop::kLocal: injected here
};

class InputUnit;
class OutputUnit;

class Router final : public sc_core::sc_module {
 public:
  sc_core::sc_vector<IciTarget> links_in;      // by port; ports at the edge of a mesh stay unbound
  sc_core::sc_vector<IciInitiator> links_out;  // by port
  IciTarget inject{"inject"};
  IciInitiator eject{"eject"};

  // `routing` outlives the router. All routers of a pod have the same configuration: credits stand for the buffers of
  // the routers at the other ends.
  Router(sc_core::sc_module_name name, kernel::EventQueue& queue, const RouterConfig& config, const RouterMode& mode,
         const Routing& routing, unsigned link_ports, const Coordinates& here);
  ~Router() override;

  [[nodiscard]] const RouterStatistics& statistics() const { return statistics_; }
  void reset_statistics() { statistics_ = {}; }
  // True when nothing waits here and all credits have come back.
  [[nodiscard]] bool idle() const;
  // Calls `visit` for the packets that wait first in line for an output.
  void for_each_waiting(const std::function<void(const WaitingPacket&)>& visit) const;

 private:
  friend class InputUnit;
  friend class OutputUnit;

  void end_of_elaboration() override;
  // Queues a packet of input `in_port` for its output, or ejects it.
  void route(IciPacket& packet, std::uint8_t in_port, const Hop& hop);
  void eject_here(IciPacket& packet, std::uint8_t in_port);
  // The packet leaves the buffer of input `in_port`, whose last byte is free again at `when`.
  void leaves_input(IciPacket& packet, std::uint8_t in_port, std::uint8_t channel, Picoseconds when);

  kernel::EventQueue& queue_;
  const RouterConfig config_;
  const RouterMode mode_;
  const Routing& routing_;
  const Coordinates here_;
  const unsigned link_ports_;
  std::vector<std::unique_ptr<InputUnit>> inputs_;    // by port; the last one is injection
  std::vector<std::unique_ptr<OutputUnit>> outputs_;  // by port
  std::unique_ptr<IciBackward> ejection_;
  RouterStatistics statistics_;
};

}  // namespace podsim::ici
