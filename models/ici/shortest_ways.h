// All shortest ways between chips of a torus, twisted or not, as numbers of links to travel on each axis, signed.
//
// Chips are points of a lattice, and a wrap-around link says which points are the same chip: `size` steps along an axis
// come to a chip that the wrap's shift names (torus.h). The shortest ways are the shortest of all the differences
// between the two chips' points. They depend on the chips' difference only, so one table serves every source.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/ici/torus.h"

namespace podsim::ici {

using Way = std::array<std::int16_t, kMaxAxes>;

class ShortestWays {
 public:
  explicit ShortestWays(const TorusShape& shape);

  // A number that all pairs of chips with the same difference share, and how many such numbers there are.
  [[nodiscard]] std::size_t difference(const Coordinates& from, const Coordinates& to) const;
  [[nodiscard]] std::size_t differences() const { return first_.size() - 1; }
  // The ways over a difference: at least one, in a fixed order.
  [[nodiscard]] std::span<const Way> of(std::size_t difference) const {
    return std::span(ways_).subspan(first_[difference], first_[difference + 1] - first_[difference]);
  }

 private:
  using Vector = std::array<int, kMaxAxes>;

  // Moves `vector` by whole turns until each wrapped axis is within [0, size).
  void reduce(Vector& vector) const;
  [[nodiscard]] std::size_t number_of(const Vector& reduced) const;
  void find_ways(const Vector& difference);

  std::vector<AxisShape> axes_;
  std::array<std::size_t, kMaxAxes> extent_{};  // of reduced differences, by axis
  std::vector<std::uint32_t> first_;            // by difference: the first of its ways; one more at the end
  std::vector<Way> ways_;
};

}  // namespace podsim::ici
