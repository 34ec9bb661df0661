// Follows a planned packet's way through the pod without moving it: what the routers will decide, link by link.
#pragma once

#include "models/ici/routing.h"

namespace podsim::ici {

// Calls visit(chip, hop) for each link, chip being where the link starts, until the packet has arrived or visit returns
// false. `packet` has been planned, stands at its source, and is not changed.
template <class Visit>
void walk_route(const TorusShape& shape, const Routing& routing, IciPacket packet, Visit&& visit) {
  ChipId at = packet.source;
  std::uint8_t in_port = Hop::kLocal;
  for (;;) {
    const Hop hop = routing.next(shape.coordinates(at), in_port, packet);
    if (hop.port == Hop::kLocal || !visit(at, hop)) return;
    take_link(packet, hop.port);
    packet.channel = hop.channel;
    const auto port = static_cast<Port>(hop.port);
    in_port = static_cast<std::uint8_t>(index(shape.far_port(at, port)));
    at = *shape.neighbour(at, port);
  }
}

}  // namespace podsim::ici
