// Which of several shortest ways the packets between two chips take, so that all links carry the same load when every
// chip sends to every other.
//
// A pair of chips keeps to one way, so the load can't be split packet by packet. It is split over pairs instead: all
// chips see the same network, and of the sources at a certain difference from their destinations, those whose
// coordinates have the same parities share a way. Ways are given out one after the other, each time the one whose links
// carry least so far, and once more when all loads are known. Exact where all sizes are even; otherwise a wrap-around
// link joins coordinates of equal parity, and the balance is a little less good.
#pragma once

#include <cstdint>
#include <vector>

#include "models/ici/shortest_ways.h"

namespace podsim::ici {

class BalancedWays {
 public:
  explicit BalancedWays(const TorusShape& shape);

  [[nodiscard]] const Way& between(const Coordinates& from, const Coordinates& to) const;

 private:
  // The parities of a chip's coordinates, a bit for each axis.
  using Parities = unsigned;
  // Paths over the link that leaves by a port, of each chip with certain parities.
  class Load;

  [[nodiscard]] std::uint8_t& choice(std::size_t difference, Parities source) {
    return choice_[(difference << axes_) + source];
  }
  void give_out(Load& load, bool again);

  const unsigned axes_;
  const ShortestWays ways_;
  std::vector<std::uint8_t> choice_;  // by difference and the source's parities
};

}  // namespace podsim::ici
