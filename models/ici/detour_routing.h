// Routing on a torus with dead links: the usual way where it is intact, and an up*/down* way round the dead links where
// it is not.
//
// Deadlock freedom: a packet keeps to one kind of way, and the detours have a virtual channel of their own. Neither
// kind waits for the other, and neither waits in a circle.
#pragma once

#include <memory>

#include "models/ici/dead_links.h"
#include "models/ici/routing.h"
#include "models/ici/up_down_routes.h"

namespace podsim::ici {

class DetourRouting final : public Routing {
 public:
  // `shape` outlives the routing. There is a dead link, all chips are connected, and `usual` leaves `detour_channel`
  // alone.
  DetourRouting(const TorusShape& shape, DeadLinks dead, std::unique_ptr<const Routing> usual,
                std::uint8_t detour_channel);
  void plan(IciPacket& packet) const override;
  [[nodiscard]] Hop next(const Coordinates& here, std::uint8_t in_port, const IciPacket& packet) const override;

 private:
  [[nodiscard]] bool is_intact(const IciPacket& packet) const;

  const TorusShape& shape_;
  const DeadLinks dead_;
  const std::unique_ptr<const Routing> usual_;
  const UpDownRoutes detours_;
  const std::uint8_t detour_channel_;
};

}  // namespace podsim::ici
