#include "models/ici/listed_routing.h"

namespace podsim::ici {

// From the root every way goes down, so the pod's centre makes the longest ones short.
ListedRouting::ListedRouting(const TorusShape& shape, DeadLinks dead, unsigned virtual_channels)
    : shape_(shape),
      dead_(std::move(dead)),
      routes_(shape, dead_, static_cast<ChipId>(shape.listed_links()->centre())),
      virtual_channels_(virtual_channels) {}

Hop ListedRouting::next(const Coordinates& here, std::uint8_t in_port, const IciPacket& packet) const {
  const ChipId chip = shape_.chip_at(here);
  if (chip == packet.destination) return {};
  const auto came_by = in_port == Hop::kLocal ? std::nullopt : std::optional(static_cast<Port>(in_port));
  const unsigned channel = (index(packet.source) + index(packet.destination)) % virtual_channels_;
  return {static_cast<std::uint8_t>(index(routes_.next(chip, came_by, packet.destination))),
          static_cast<std::uint8_t>(channel)};
}

}  // namespace podsim::ici
