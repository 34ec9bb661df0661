// Routing on a pod of listed links: the shortest way that goes up and then down (up_down_routes.h), so that nothing can
// deadlock whatever the graph. Round dead links there is nothing more to do: they are left out of the graph. Virtual
// channels are spread over pairs of chips; each is free of deadlock by itself.
#pragma once

#include "models/ici/dead_links.h"
#include "models/ici/routing.h"
#include "models/ici/up_down_routes.h"

namespace podsim::ici {

class ListedRouting final : public Routing {
 public:
  // `shape` has listed links and outlives the routing; working links connect all chips.
  ListedRouting(const TorusShape& shape, DeadLinks dead, unsigned virtual_channels);
  void plan(IciPacket&) const override {}
  [[nodiscard]] Hop next(const Coordinates& here, std::uint8_t in_port, const IciPacket& packet) const override;

 private:
  const TorusShape& shape_;
  const DeadLinks dead_;
  const UpDownRoutes routes_;
  const unsigned virtual_channels_;
};

}  // namespace podsim::ici
