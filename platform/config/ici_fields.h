// YAML keys of the inter-chip interconnect, the section `ici`: link, router and packet keys side by side.
#pragma once

#include "models/ici/ici_config.h"
#include "platform/config/fields.h"

namespace podsim::config {

constexpr auto names(EnumTag<ici::Fidelity>) {
  return EnumNames<ici::Fidelity, 3>{
      {{"packet", ici::Fidelity::kPacket}, {"burst", ici::Fidelity::kBurst}, {"flow", ici::Fidelity::kFlow}}};
}

constexpr auto names(EnumTag<ici::RoutingKind>) {
  return EnumNames<ici::RoutingKind, 2>{{{"dimension_order", ici::RoutingKind::kDimensionOrder},
                                         {"minimal_balanced", ici::RoutingKind::kMinimalBalanced}}};
}

template <class Visitor>
void fields(Visitor& visit, ici::IciConfig& ici) {
  visit("bandwidth_per_direction", ici.link.bandwidth_per_direction, "of one link, one way", required);
  visit("hop_latency", ici.link.hop_latency, "router to router, wire included", required);
  visit("packet_header", ici.link.packet_header, "sent ahead of each packet's payload", at_most(ByteSize{kMiB}));
  visit("fidelity", ici.fidelity,
        "packet: the reference; burst: pieces as large as keeps the error small; flow: copies as fluids");
  visit("packet", ici.packet, "payload of a packet; burst fidelity: the smallest piece", positive,
        at_most(ByteSize{kGiB}));
  visit("routing", ici.routing, "dimension_order; minimal_balanced: all shortest ways alike, as twisted tori need it");
  visit("virtual_channels", ici.router.virtual_channels,
        "2: dateline; 1 on a torus can lock up, and is there to show it; one more with dead links", at_least(1),
        at_most(3));
  visit("buffer_per_vc", ici.router.buffer_per_vc, "input buffer of a virtual channel", positive);
  visit("credits", ici.router.credits, "whether buffers are finite; packet fidelity only");
  visit.check(ici.packet <= ici.router.buffer_per_vc, "buffer_per_vc",
              "must hold at least one packet (ici.packet), or none could ever be sent");
}

}  // namespace podsim::config
