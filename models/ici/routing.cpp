#include "models/ici/routing.h"

#include <cstdlib>
#include <numeric>

namespace podsim::ici {

namespace {
std::uint32_t sum(const Coordinates& coordinates) {
  return std::accumulate(coordinates.begin(), coordinates.end(), std::uint32_t{0});
}

}  // namespace

void DimensionOrderRouting::plan(IciPacket& packet) const {
  const Coordinates from = shape_.coordinates(packet.source);
  const Coordinates to = shape_.coordinates(packet.destination);
  const std::uint32_t coordinate_sum = sum(from);
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

void MinimalBalancedRouting::plan(IciPacket& packet) const {
  packet.hops_left = ways_.between(shape_.coordinates(packet.source), shape_.coordinates(packet.destination));
}

// A packet's virtual channel on its first link of an axis, `position` links from where a way in its direction starts
// that goes over the wrap-around link last.
std::uint8_t AxisOrderRouting::first_channel(std::uint32_t position, std::uint32_t links, std::uint32_t size) {
  const bool at_wrap_link = position == size - 1;
  if (at_wrap_link) return 4 * links > size ? 1 : 0;
  if (position + links >= size) return 0;  // is to cross
  // Those that are to cross fill channel 0 of the second half; those that have crossed, part of channel 1 of the first.
  return 2 * position >= size || position % 2 == 1 ? 1 : 0;
}

Hop AxisOrderRouting::next(const Coordinates& here, std::uint8_t in_port, const IciPacket& packet) const {
  for (unsigned a = 0; a < shape_.axes(); ++a) {
    if (packet.hops_left[a] == 0) continue;
    const auto axis = static_cast<Axis>(a);
    const bool up = packet.hops_left[a] > 0;
    const auto port = static_cast<std::uint8_t>(index(up ? plus_port(axis) : minus_port(axis)));
    if (!dateline_) return {port, 0};
    const std::uint32_t size = shape_.axis(axis).size;
    const std::uint32_t position = up ? here[a] : size - 1 - here[a];
    const bool starts = in_port == Hop::kLocal || in_port / 2 != a;
    if (starts) return {port, first_channel(position, static_cast<std::uint32_t>(std::abs(packet.hops_left[a])), size)};
    return {port, position == size - 1 ? std::uint8_t{1} : packet.channel};
  }
  return {};
}

}  // namespace podsim::ici
