#include "models/ici/routing.h"

#include <numeric>

namespace podsim::ici {

namespace {
std::uint32_t sum(const Coordinates& coordinates) {
  return std::accumulate(coordinates.begin(), coordinates.end(), std::uint32_t{0});
}

// SplitMix64 (Steele, Lea and Flood, 2014): numbers in a row come out as if drawn at random.
std::uint64_t scatter(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
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
  const Coordinates from = shape_.coordinates(packet.source);
  const Coordinates to = shape_.coordinates(packet.destination);
  const std::span<const Way> ways = ways_.between(from, to);
  if (ways.size() == 1) {
    packet.hops_left = ways.front();
    return;
  }
  // Along every axis the sources take the ways in turn. Where the turn begins differs from difference to difference, or
  // the links that get the larger half would be the same ones each time.
  packet.hops_left = ways[(sum(from) + scatter(ways_.difference(from, to))) % ways.size()];
}

Hop AxisOrderRouting::next(const Coordinates& here, std::uint8_t in_port, const IciPacket& packet) const {
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
