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
    twisted_ = twisted_ || axis.shifts();
    if (axis.size == 0) throw std::invalid_argument(fmt::format("axis {} has no chips", axis.name));
    if (axis.size <= 2) axis.wrap = false;
    chips *= axis.size;
    if (chips > kMaxChips) throw std::invalid_argument(fmt::format("a pod has at most {} chips", kMaxChips));
  }
  chips_ = static_cast<std::uint32_t>(chips);
  for (const AxisShape& axis : axes_) {
    for (unsigned b = 0; b < kMaxAxes; ++b) {
      if (axis.wrap_shift[b] == 0) continue;
      if (!axis.wrap || b >= axes_.size() || !axes_[b].is_ring() || axis.wrap_shift[b] >= axes_[b].size) {
        throw std::invalid_argument(fmt::format("the wrap of axis {} can't be twisted like this", axis.name));
      }
    }
  }
}

TorusShape::TorusShape(LinkGraph links)
    : axes_{{"chip", links.chips(), false, {}}},
      chips_(links.chips()),
      links_(std::make_shared<const LinkGraph>(std::move(links))) {}

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
  if (links_) {
    const auto next = links_->neighbour(podsim::index(chip), index(port));
    return next ? std::optional(static_cast<ChipId>(*next)) : std::nullopt;
  }
  const unsigned a = index(axis_of(port));
  const AxisShape& axis = axes_[a];
  Coordinates coordinates = this->coordinates(chip);
  const bool at_edge = is_plus(port) ? coordinates[a] + 1 == axis.size : coordinates[a] == 0;
  if (at_edge && !axis.wrap) return std::nullopt;
  if (at_edge) {
    coordinates[a] = is_plus(port) ? 0 : axis.size - 1;
    if (!twisted_) return chip_at(coordinates);
    for (unsigned b = 0; b < axes(); ++b) {
      const std::uint32_t size = axes_[b].size;
      coordinates[b] = (coordinates[b] + (is_plus(port) ? axis.wrap_shift[b] : size - axis.wrap_shift[b])) % size;
    }
  } else {
    coordinates[a] = is_plus(port) ? coordinates[a] + 1 : coordinates[a] - 1;
  }
  return chip_at(coordinates);
}

Port TorusShape::far_port(ChipId chip, Port port) const {
  if (!links_) return opposite(port);
  const ChipId far = neighbour(chip, port).value();
  return static_cast<Port>(links_->port_to(podsim::index(far), podsim::index(chip)).value());
}

unsigned TorusShape::distance(ChipId from, ChipId to) const {
  if (links_) return links_->distance(podsim::index(from), podsim::index(to));
  const Coordinates a = coordinates(from);
  const Coordinates b = coordinates(to);
  // Of the ways that turn -1, 0 or 1 times round each axis that shifts others, the shortest.
  const auto shortest = [&](const auto& self, unsigned first, const Coordinates& end) -> unsigned {
    for (unsigned axis = first; axis < axes(); ++axis) {
      if (!axes_[axis].shifts()) continue;
      const std::uint32_t straight = a[axis] > end[axis] ? a[axis] - end[axis] : end[axis] - a[axis];
      unsigned best = straight + self(self, axis + 1, end);
      // Upwards over the wrap the way arrives shifted, so the rest of it starts further on; downwards it is the
      // reverse.
      for (const bool up : {true, false}) {
        Coordinates shifted = end;
        for (unsigned other = 0; other < axes(); ++other) {
          const std::uint32_t size = axes_[other].size, shift = axes_[axis].wrap_shift[other];
          shifted[other] = (shifted[other] + (up ? size - shift : shift)) % size;
        }
        const bool turns = up ? end[axis] <= a[axis] : end[axis] >= a[axis];
        const unsigned around = turns ? axes_[axis].size - straight : axes_[axis].size + straight;
        best = std::min(best, around + self(self, axis + 1, shifted));
      }
      return best;
    }
    unsigned hops = 0;
    for (unsigned i = 0; i < axes(); ++i) {
      if (axes_[i].shifts()) continue;
      const std::uint32_t straight = a[i] > end[i] ? a[i] - end[i] : end[i] - a[i];
      hops += axes_[i].wrap ? std::min(straight, axes_[i].size - straight) : straight;
    }
    return hops;
  };
  return shortest(shortest, 0, b);
}

TorusShape twist(std::vector<AxisShape> axes) {
  const auto fail = [] {
    throw std::invalid_argument(
        "a twisted torus has n x n x 2n or n x 2n x 2n chips, n at least 4, and wraps all axes");
  };
  if (axes.size() != 3) fail();
  std::uint32_t n = axes[0].size;
  for (const AxisShape& axis : axes) n = std::min(n, axis.size);
  unsigned long_axes = 0;
  for (const AxisShape& axis : axes) {
    if (!axis.wrap || (axis.size != n && axis.size != 2 * n)) fail();
    if (axis.size == 2 * n) ++long_axes;
  }
  if (n < 4 || long_axes == 0) fail();
  for (AxisShape& axis : axes) {
    if (axis.size != n) continue;
    for (unsigned b = 0; b < axes.size(); ++b) axis.wrap_shift[b] = axes[b].size == 2 * n ? n : 0;
  }
  return TorusShape(std::move(axes));
}

std::string TorusShape::place(ChipId chip) const {
  const Coordinates c = coordinates(chip);
  return fmt::format("({})", fmt::join(c.begin(), c.begin() + axes(), ","));
}

}  // namespace podsim::ici
