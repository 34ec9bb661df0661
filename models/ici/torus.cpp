#include "models/ici/torus.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/kernel/address_map.h"

namespace podsim::ici {

TorusShape::TorusShape(std::vector<AxisShape> axes) : axes_(std::move(axes)), chips_(1) {
  if (axes_.empty() || axes_.size() > kMaxAxes) {
    throw std::invalid_argument(fmt::format("a pod has 1 to {} axes, not {}", kMaxAxes, axes_.size()));
  }
  std::uint64_t chips = 1;
  for (AxisShape& axis : axes_) {
    if (axis.size == 0) throw std::invalid_argument(fmt::format("axis {} has no chips", axis.name));
    if (axis.size <= 2) axis.wrap = false;
    chips *= axis.size;
    if (chips > kMaxChips) throw std::invalid_argument(fmt::format("a pod has at most {} chips", kMaxChips));
  }
  chips_ = static_cast<std::uint32_t>(chips);
}

std::optional<Axis> TorusShape::find_axis(const std::string& name) const {
  for (unsigned i = 0; i < axes(); ++i) {
    if (axes_[i].name == name) return static_cast<Axis>(i);
  }
  return std::nullopt;
}

Coordinates TorusShape::coordinates(ChipId chip) const {
  Coordinates coordinates{};
  std::uint32_t rest = podsim::index(chip);
  for (unsigned i = 0; i < axes(); ++i) {
    coordinates[i] = rest % axes_[i].size;
    rest /= axes_[i].size;
  }
  return coordinates;
}

ChipId TorusShape::chip_at(const Coordinates& coordinates) const {
  std::uint32_t chip = 0;
  for (unsigned i = axes(); i-- > 0;) chip = chip * axes_[i].size + coordinates[i];
  return static_cast<ChipId>(chip);
}

std::optional<ChipId> TorusShape::neighbour(ChipId chip, Port port) const {
  const unsigned a = index(axis_of(port));
  const AxisShape& axis = axes_[a];
  Coordinates coordinates = this->coordinates(chip);
  const bool at_edge = is_plus(port) ? coordinates[a] + 1 == axis.size : coordinates[a] == 0;
  if (at_edge && !axis.wrap) return std::nullopt;
  if (at_edge) {
    coordinates[a] = is_plus(port) ? 0 : axis.size - 1;
  } else {
    coordinates[a] = is_plus(port) ? coordinates[a] + 1 : coordinates[a] - 1;
  }
  return chip_at(coordinates);
}

unsigned TorusShape::distance(ChipId from, ChipId to) const {
  const Coordinates a = coordinates(from);
  const Coordinates b = coordinates(to);
  unsigned hops = 0;
  for (unsigned i = 0; i < axes(); ++i) {
    const std::uint32_t straight = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    hops += axes_[i].wrap ? std::min(straight, axes_[i].size - straight) : straight;
  }
  return hops;
}

std::string TorusShape::place(ChipId chip) const {
  const Coordinates c = coordinates(chip);
  return fmt::format("({})", fmt::join(c.begin(), c.begin() + axes(), ","));
}

}  // namespace podsim::ici
