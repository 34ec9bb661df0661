// Configuration of the inter-chip interconnect: one router and its outgoing links on each chip.
#pragma once

#include "models/kernel/units.h"

namespace podsim::ici {

struct LinkConfig {
  Bandwidth bandwidth_per_direction{45'000'000'000};
  Duration hop_latency{kPicosecondsPerMicrosecond};  // router to router, wire included
  ByteSize packet_header{0};  // sent ahead of each packet's payload
};

struct RouterConfig {
  unsigned virtual_channels = 2;  // 2: dateline; 1 on a torus can lock up, and is there to show it
  // Input buffer of a virtual channel: at least a packet; less than link round trip x bandwidth more slows the link.
  ByteSize buffer_per_vc{256 * kKiB};
};

struct IciConfig {
  LinkConfig link;
  RouterConfig router;
  ByteSize packet{64 * kKiB};  // a DMA burst is cut into packets of at most this payload
};

}  // namespace podsim::ici
