#include "models/ici/traffic_map.h"

#include <algorithm>
#include <bit>

#include "models/ici/route_walk.h"

namespace podsim::ici {

namespace {
unsigned size_class(Bytes bytes) { return static_cast<unsigned>(std::bit_width(bytes)) - 1; }
}  // namespace

TrafficMap::TrafficMap(const TorusShape& shape, const Routing& routing, Bytes smallest_piece)
    : shape_(shape),
      routing_(routing),
      smallest_piece_(smallest_piece),
      links_(std::size_t{shape.chips()} * shape.link_ports()) {}

template <class Visit>
void TrafficMap::walk(ChipId from, ChipId to, Visit&& visit) const {
  IciPacket packet;
  packet.source = from;
  packet.destination = to;
  routing_.plan(packet);
  walk_route(shape_, routing_, packet, [&](ChipId at, const Hop& hop) {
    visit(index(at) * shape_.link_ports() + hop.port, at == from);
    return true;
  });
}

void TrafficMap::count(ChipId from, ChipId to, Bytes bytes, int change) {
  if (bytes == 0) return;
  const unsigned size = size_class(bytes);
  walk(from, to, [&](std::size_t place, bool first) {
    Link& link = links_[place];
    (first ? link.injected : link.in_transit) += static_cast<std::uint32_t>(change);
    link.by_class[size] += static_cast<std::uint32_t>(change);
    if (link.by_class[size] != 0) {
      link.present |= std::uint64_t{1} << size;
    } else {
      link.present &= ~(std::uint64_t{1} << size);
    }
  });
}

Bytes TrafficMap::piece(ChipId from, ChipId to, Bytes bytes) const {
  Bytes piece = bytes;
  walk(from, to, [&](std::size_t place, bool) {
    const Link& link = links_[place];
    if (!link.contended()) return;
    const Bytes smallest = Bytes{1} << std::countr_zero(link.present);
    piece = std::min(piece, std::max(smallest / kPiecesPerCopy, smallest_piece_));
  });
  return piece;
}

}  // namespace podsim::ici
