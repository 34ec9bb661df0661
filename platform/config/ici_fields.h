// YAML keys of the inter-chip interconnect, the section `ici`: link, router and packet keys side by side.
#pragma once

#include "models/ici/ici_config.h"
#include "platform/config/fields.h"

namespace podsim::config {

template <class Visitor>
void fields(Visitor& visit, ici::IciConfig& ici) {
  visit("bandwidth_per_direction", ici.link.bandwidth_per_direction, "of one link, one way", required);
  visit("hop_latency", ici.link.hop_latency, "router to router, wire included", required);
  visit("packet_header", ici.link.packet_header, "sent ahead of each packet's payload", at_most(ByteSize{kMiB}));
  visit("packet", ici.packet, "a DMA burst is cut into packets of at most this payload", positive,
        at_most(ByteSize{kGiB}));
  visit("virtual_channels", ici.router.virtual_channels,
        "2: dateline; 1 on a torus can lock up, and is there to show it", at_least(1), at_most(3));
  visit("buffer_per_vc", ici.router.buffer_per_vc, "input buffer of a virtual channel", positive);
  visit.check(ici.packet <= ici.router.buffer_per_vc, "buffer_per_vc",
              "must hold at least one packet (ici.packet), or none could ever be sent");
}

}  // namespace podsim::config
