#include "models/ici/detour_routing.h"

#include "models/ici/route_walk.h"

namespace podsim::ici {

// The root is an end of a dead link, because that makes the way to its other end, the detour that is used most, as
// short as any: from the root every way goes down.
DetourRouting::DetourRouting(const TorusShape& shape, DeadLinks dead, std::unique_ptr<const Routing> usual,
                             std::uint8_t detour_channel)
    : shape_(shape),
      dead_(std::move(dead)),
      usual_(std::move(usual)),
      detours_(shape, dead_, dead_.ends().front().chip),
      detour_channel_(detour_channel) {}

bool DetourRouting::is_intact(const IciPacket& packet) const {
  bool intact = true;
  walk_route(shape_, *usual_, packet, [&](ChipId chip, const Hop& hop) {
    intact = !dead_.contains(chip, static_cast<Port>(hop.port));
    return intact;
  });
  return intact;
}

void DetourRouting::plan(IciPacket& packet) const {
  usual_->plan(packet);
  packet.detours = !is_intact(packet);
}

Hop DetourRouting::next(const Coordinates& here, std::uint8_t in_port, const IciPacket& packet) const {
  if (!packet.detours) return usual_->next(here, in_port, packet);
  const ChipId chip = shape_.chip_at(here);
  if (chip == packet.destination) return {};
  const auto came_by = in_port == Hop::kLocal ? std::nullopt : std::optional(static_cast<Port>(in_port));
  return {static_cast<std::uint8_t>(index(detours_.next(chip, came_by, packet.destination))), detour_channel_};
}

}  // namespace podsim::ici
