// The links of a torus that do not work. Cables die, not directions: a dead link is dead both ways.
#pragma once

#include <algorithm>
#include <vector>

#include "models/ici/torus.h"

namespace podsim::ici {

class DeadLinks {
 public:
  // One end of a dead link: the chip, and the port by which the link leaves it.
  struct End {
    ChipId chip{};
    Port port{};
    auto operator<=>(const End&) const = default;
  };

  // The link must exist. Adding it twice, or from its other end, changes nothing.
  void add(const TorusShape& shape, ChipId chip, Port port) {
    insert({chip, port});
    insert({shape.neighbour(chip, port).value(), shape.far_port(chip, port)});
  }
  [[nodiscard]] bool contains(ChipId chip, Port port) const {
    return std::binary_search(ends_.begin(), ends_.end(), End{chip, port});
  }
  [[nodiscard]] bool empty() const { return ends_.empty(); }
  // Both ends of each link, by chip.
  [[nodiscard]] const std::vector<End>& ends() const { return ends_; }

 private:
  void insert(End end) {
    const auto place = std::lower_bound(ends_.begin(), ends_.end(), end);
    if (place == ends_.end() || *place != end) ends_.insert(place, end);
  }

  std::vector<End> ends_;
};

// The chip that a working link leads to by `port`, or none.
[[nodiscard]] inline std::optional<ChipId> live_neighbour(const TorusShape& shape, const DeadLinks& dead, ChipId chip,
                                                          Port port) {
  if (dead.contains(chip, port)) return std::nullopt;
  return shape.neighbour(chip, port);
}

// The chips that working links do not join to the largest part of the pod, by number; none when all are connected.
[[nodiscard]] std::vector<ChipId> cut_off_chips(const TorusShape& shape, const DeadLinks& dead);

}  // namespace podsim::ici
