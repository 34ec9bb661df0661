// Configuration of the inter-chip interconnect: one router and its outgoing links on each chip.
#pragma once

#include <cstdint>

#include "models/kernel/units.h"

namespace podsim::ici {

struct LinkConfig {
  Bandwidth bandwidth_per_direction{45'000'000'000};
  Duration hop_latency{kPicosecondsPerMicrosecond};  // router to router, wire included
  ByteSize packet_header{0};                         // sent ahead of each packet's payload
};

// How finely bulk data is followed through the interconnect.
enum class Fidelity : std::uint8_t {
  kPacket,  // packets of `packet` bytes: the reference
  kBurst,   // pieces as large as keeps the error small: whole copies where nothing competes (traffic_map.h)
  kFlow,    // whole copies that share links as fluids do (flow_network.h)
};

// Which of the shortest ways a packet takes (routing.h).
enum class RoutingKind : std::uint8_t { kDimensionOrder, kMinimalBalanced };

struct RouterConfig {
  unsigned virtual_channels = 2;  // 2: dateline; 1 on a torus can lock up, and is there to show it
  // Input buffer of a virtual channel: at least a packet; less than link round trip x bandwidth more slows the link.
  ByteSize buffer_per_vc{256 * kKiB};
  // Whether buffers are finite. The pieces of burst fidelity are larger than any buffer, so there it is off; so it is
  // at flow fidelity.
  bool credits = true;
};

// What the interconnect's fidelity means to a router.
struct RouterMode {
  bool credits = true;          // buffers are finite
  Picoseconds packet_time = 0;  // burst fidelity: time of one packet on a link, or 0 where every packet is modelled
};

struct IciConfig {
  LinkConfig link;
  RouterConfig router;
  RoutingKind routing = RoutingKind::kDimensionOrder;
  Fidelity fidelity = Fidelity::kBurst;
  ByteSize packet{4 * kKiB};  // payload of a packet; burst fidelity: the smallest piece

  // Payload of the largest packet that a router may see.
  [[nodiscard]] Bytes largest_packet() const { return fidelity == Fidelity::kPacket ? packet.bytes : ~Bytes{0}; }
  // Whether the routers count credits.
  [[nodiscard]] bool counts_credits() const { return fidelity == Fidelity::kPacket && router.credits; }
};

}  // namespace podsim::ici
