#include "models/ici/traffic_map.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "models/ici/route_walk.h"

namespace podsim::ici {

namespace {
constexpr auto kNowhere = static_cast<ChipId>(~std::uint32_t{0});

unsigned size_class(Bytes bytes) { return static_cast<unsigned>(std::bit_width(bytes)) - 1; }
}  // namespace

TrafficMap::TrafficMap(const TorusShape& shape, const Routing& routing, Bytes smallest_piece)
    : shape_(shape),
      routing_(routing),
      smallest_piece_(smallest_piece),
      links_(std::size_t{shape.chips()} * shape.link_ports()),
      directly_(links_.size(), kNowhere) {
  for (std::uint32_t chip = 0; chip < shape.chips(); ++chip) {
    for (unsigned port = 0; port < shape.link_ports(); ++port) {
      const std::size_t place = chip * shape.link_ports() + port;
      const auto from = static_cast<ChipId>(chip);
      const std::optional<ChipId> to = shape.neighbour(from, static_cast<Port>(port));
      if (!to || *to == from) continue;
      unsigned links = 0;
      std::size_t last = 0;
      walk(from, *to, [&](std::size_t link, bool) {
        last = link;
        ++links;
      });
      if (links == 1 && last == place) directly_[place] = *to;
    }
  }
}

template <class Visit>
void TrafficMap::walk(ChipId from, ChipId to, Visit&& visit) const {
  // Most copies go to a neighbour: no need to plan that anew.
  const std::size_t first = std::size_t{index(from)} * shape_.link_ports();
  for (std::size_t place = first; place < first + shape_.link_ports(); ++place) {
    if (directly_[place] == to) return visit(place, true);
  }
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
