// Which copies are under way on which links of a pod: what the burst fidelity goes by.
//
// A copy whose links nobody else uses may travel in one piece: cut-through makes its time independent of the size of
// its pieces. Where copies of different chips meet on a link they take turns, piece by piece, and the coarser the
// pieces, the rougher the picture: there a piece is a quarter of the smallest copy that passes. Copies that one chip
// injects one after the other do not compete in this sense; the link serves them in order.
//
// Plain class, no kernel. A link's copies are counted by the power of two of their size, so that the smallest is found
// without a search.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/ici/routing.h"
#include "models/ici/torus.h"

namespace podsim::ici {

class TrafficMap {
 public:
  // Both outlive the map. No piece is made smaller than `smallest_piece` on account of others.
  TrafficMap(const TorusShape& shape, const Routing& routing, Bytes smallest_piece);

  // A copy of `bytes` from one chip to another begins or ends. A copy of no bytes, or to its own chip, is on no link.
  void begin(ChipId from, ChipId to, Bytes bytes) { count(from, to, bytes, +1); }
  void end(ChipId from, ChipId to, Bytes bytes) { count(from, to, bytes, -1); }

  // The largest piece in which a copy that has begun may travel now; `bytes` if nothing competes on its way.
  [[nodiscard]] Bytes piece(ChipId from, ChipId to, Bytes bytes) const;

 private:
  static constexpr unsigned kClasses = 41;  // of sizes: 1 B to 1 TiB
  static constexpr Bytes kPiecesPerCopy = 4;

  struct Link {
    std::uint32_t injected = 0;  // copies that start at this link's chip
    std::uint32_t in_transit = 0;
    std::uint64_t present = 0;  // bit c: some copy has size class c
    std::array<std::uint32_t, kClasses> by_class{};

    [[nodiscard]] bool contended() const { return in_transit >= 2 || (in_transit == 1 && injected >= 1); }
  };

  void count(ChipId from, ChipId to, Bytes bytes, int change);
  // Calls visit(link index, is the first link) along the route.
  template <class Visit>
  void walk(ChipId from, ChipId to, Visit&& visit) const;

  const TorusShape& shape_;
  const Routing& routing_;
  const Bytes smallest_piece_;
  std::vector<Link> links_;       // by chip and port
  std::vector<ChipId> directly_;  // by chip and port: the neighbour to which this link alone is the way
};

}  // namespace podsim::ici
