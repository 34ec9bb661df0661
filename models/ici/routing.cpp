#include "models/ici/routing.h"

namespace podsim::ici {

DimensionOrderRouting::DimensionOrderRouting(const TorusShape& shape, unsigned virtual_channels)
    : shape_(shape), dateline_(virtual_channels >= 2) {}

void DimensionOrderRouting::plan(IciPacket& packet) const {
  const Coordinates from = shape_.coordinates(packet.source);
  const Coordinates to = shape_.coordinates(packet.destination);
  std::uint32_t coordinate_sum = 0;
  for (unsigned a = 0; a < shape_.axes(); ++a) coordinate_sum += from[a];
  for (unsigned a = 0; a < shape_.axes(); ++a) {
    const auto size = static_cast<int>(shape_.axis(static_cast<Axis>(a)).size);
    int hops = static_cast<int>(to[a]) - static_cast<int>(from[a]);
    if (shape_.axis(static_cast<Axis>(a)).wrap) {
      const int up = (hops + size) % size;
      const int down = size - up;
      const bool go_up = up < down || (up == down && coordinate_sum % 2 == 0);
      hops = up == 0 ? 0 : (go_up ? up : -down);
    }
    packet.hops_left[a] = static_cast<std::int16_t>(hops);
  }
}

Hop DimensionOrderRouting::next(const Coordinates& here, std::uint8_t in_port, const IciPacket& packet) const {
  for (unsigned a = 0; a < shape_.axes(); ++a) {
    if (packet.hops_left[a] == 0) continue;
    const auto axis = static_cast<Axis>(a);
    const bool up = packet.hops_left[a] > 0;
    const Port port = up ? plus_port(axis) : minus_port(axis);
    if (!dateline_) return {static_cast<std::uint8_t>(index(port)), 0};
    const bool crosses = here[a] == (up ? shape_.axis(axis).size - 1 : 0);
    const bool crossed = in_port != Hop::kLocal && in_port / 2 == a && packet.channel == 1;
    return {static_cast<std::uint8_t>(index(port)), static_cast<std::uint8_t>(crosses || crossed ? 1 : 0)};
  }
  return {};
}

}  // namespace podsim::ici
