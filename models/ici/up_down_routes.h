// Up*/down* routes: ways between the chips of any connected network that can't deadlock on a single virtual channel.
//
// Chips are put in an order, by their distance from a root. A link that leads to an earlier chip goes up, any other
// goes down, and a way goes up first and then down, never up again: no circle of links can wait for each other
// (Schroeder et al., "Autonet", 1991). Of the ways allowed this is the shortest; among equally short ones, chips and
// destinations take different ones.
#pragma once

#include <cstdint>
#include <vector>

#include "models/ici/dead_links.h"
#include "models/ici/torus.h"

namespace podsim::ici {

class UpDownRoutes {
 public:
  // Both outlive the routes. All chips must be connected by working links.
  UpDownRoutes(const TorusShape& shape, const DeadLinks& dead, ChipId root);

  // The port of the next link from `here` to another chip. A packet's history matters: `in_port` is the port that it
  // came by, or none at its source.
  [[nodiscard]] Port next(ChipId here, std::optional<Port> in_port, ChipId to) const;

 private:
  static constexpr std::uint8_t kNoWay = 0xff;
  // By chip: the port to take while the way may still go up, and once it has gone down.
  struct Entry {
    std::uint8_t free = kNoWay;
    std::uint8_t down = kNoWay;
  };
  using Table = std::vector<Entry>;

  void put_in_order(ChipId root);
  [[nodiscard]] bool is_down(ChipId from, ChipId to) const { return rank_[index(from)] < rank_[index(to)]; }
  [[nodiscard]] Table table_to(ChipId to) const;

  const TorusShape& shape_;
  const DeadLinks& dead_;
  std::vector<ChipId> order_;
  std::vector<std::uint32_t> rank_;    // place in the order, by chip
  mutable std::vector<Table> tables_;  // by destination, made when first asked for: few destinations need a detour
};

}  // namespace podsim::ici
