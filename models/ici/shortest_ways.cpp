#include "models/ici/shortest_ways.h"

#include <algorithm>
#include <cstdlib>

namespace podsim::ici {

ShortestWays::ShortestWays(const TorusShape& shape) {
  std::size_t count = 1;
  for (unsigned a = 0; a < shape.axes(); ++a) {
    axes_.push_back(shape.axis(static_cast<Axis>(a)));
    // Without a wrap, differences of both signs are different ones.
    extent_[a] = axes_[a].wrap ? axes_[a].size : 2 * std::size_t{axes_[a].size} - 1;
    count *= extent_[a];
  }
  first_.reserve(count + 1);
  for (std::size_t number = 0; number < count; ++number) {
    Vector difference{};
    std::size_t rest = number;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      difference[a] = static_cast<int>(rest % extent_[a]) - (axes_[a].wrap ? 0 : static_cast<int>(axes_[a].size) - 1);
      rest /= extent_[a];
    }
    first_.push_back(static_cast<std::uint32_t>(ways_.size()));
    find_ways(difference);
  }
  first_.push_back(static_cast<std::uint32_t>(ways_.size()));
}

// Two turns either way of each axis are enough: a shortest way makes at most one, and the shifts of the other axes'
// turns can ask for one more.
void ShortestWays::find_ways(const Vector& difference) {
  constexpr int kTurns = 2;
  const std::size_t begin = ways_.size();
  int shortest = -1;
  const auto visit = [&](const auto& self, std::size_t axis, const Vector& vector) -> void {
    if (axis == axes_.size()) {
      int links = 0;
      for (std::size_t a = 0; a < axes_.size(); ++a) links += std::abs(vector[a]);
      if (shortest >= 0 && links > shortest) return;
      if (links < shortest) ways_.resize(begin);
      shortest = links;
      Way way{};
      std::copy(vector.begin(), vector.end(), way.begin());
      ways_.push_back(way);
      return;
    }
    if (!axes_[axis].wrap) return self(self, axis + 1, vector);
    for (int turns = -kTurns; turns <= kTurns; ++turns) {
      Vector turned = vector;
      turned[axis] += turns * static_cast<int>(axes_[axis].size);
      for (std::size_t b = 0; b < axes_.size(); ++b) turned[b] -= turns * static_cast<int>(axes_[axis].wrap_shift[b]);
      self(self, axis + 1, turned);
    }
  };
  visit(visit, 0, difference);
}

void ShortestWays::reduce(Vector& vector) const {
  const auto turn = [&](std::size_t a) {
    if (!axes_[a].wrap) return;
    const int size = static_cast<int>(axes_[a].size);
    for (; vector[a] < 0; vector[a] += size) {
      for (std::size_t b = 0; b < axes_.size(); ++b) vector[b] += -static_cast<int>(axes_[a].wrap_shift[b]);
    }
    for (; vector[a] >= size; vector[a] -= size) {
      for (std::size_t b = 0; b < axes_.size(); ++b) vector[b] += static_cast<int>(axes_[a].wrap_shift[b]);
    }
  };
  // First the axes that shift others, which are never shifted themselves.
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (axes_[a].shifts()) turn(a);
  }
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (!axes_[a].shifts()) turn(a);
  }
}

std::size_t ShortestWays::number_of(const Vector& reduced) const {
  std::size_t number = 0;
  for (std::size_t a = axes_.size(); a-- > 0;) {
    const int offset = axes_[a].wrap ? 0 : static_cast<int>(axes_[a].size) - 1;
    number = number * extent_[a] + static_cast<std::size_t>(reduced[a] + offset);
  }
  return number;
}

std::size_t ShortestWays::difference(const Coordinates& from, const Coordinates& to) const {
  Vector vector{};
  for (std::size_t a = 0; a < axes_.size(); ++a) vector[a] = static_cast<int>(to[a]) - static_cast<int>(from[a]);
  reduce(vector);
  return number_of(vector);
}

}  // namespace podsim::ici
