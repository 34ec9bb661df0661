#include "models/ici/balanced_ways.h"

#include <cstdlib>

namespace podsim::ici {

class BalancedWays::Load {
 public:
  explicit Load(unsigned axes) : axes_(axes), paths_((std::size_t{1} << axes) * 2 * axes) {}

  // Counts a way from a source of these parities in, or out.
  void add(const Way& way, Parities source, int paths) {
    visit(way, source, [&](std::int64_t& load) { load += paths; });
  }
  // What the links of a way carry together.
  [[nodiscard]] std::int64_t along(const Way& way, Parities source) {
    std::int64_t sum = 0;
    visit(way, source, [&](const std::int64_t& load) { sum += load; });
    return sum;
  }

 private:
  // All links of the way, axis by axis as packets travel: each changes one parity.
  template <class Visit>
  void visit(const Way& way, Parities at, Visit&& visit) {
    for (unsigned a = 0; a < axes_; ++a) {
      const unsigned port = index(way[a] > 0 ? plus_port(static_cast<Axis>(a)) : minus_port(static_cast<Axis>(a)));
      for (int link = 0; link < std::abs(way[a]); ++link) {
        visit(paths_[at * 2 * axes_ + port]);
        at ^= 1u << a;
      }
    }
  }

  const unsigned axes_;
  std::vector<std::int64_t> paths_;  // by parities and port
};

BalancedWays::BalancedWays(const TorusShape& shape)
    : axes_(shape.axes()), ways_(shape), choice_(ways_.differences() << axes_) {
  Load load(axes_);
  give_out(load, false);
  // What the first round did before it knew the rest, the second mends; a third gains nothing.
  give_out(load, true);
}

void BalancedWays::give_out(Load& load, bool again) {
  for (std::size_t difference = 0; difference < ways_.differences(); ++difference) {
    const std::span<const Way> ways = ways_.of(difference);
    for (Parities source = 0; source < 1u << axes_; ++source) {
      std::uint8_t& chosen = choice(difference, source);
      if (again) load.add(ways[chosen], source, -1);
      for (std::size_t i = 0; i < ways.size(); ++i) {
        if (load.along(ways[i], source) < load.along(ways[chosen], source)) chosen = static_cast<std::uint8_t>(i);
      }
      load.add(ways[chosen], source, 1);
    }
  }
}

const Way& BalancedWays::between(const Coordinates& from, const Coordinates& to) const {
  const std::size_t difference = ways_.difference(from, to);
  Parities source = 0;
  for (unsigned a = 0; a < axes_; ++a) source |= (from[a] & 1u) << a;
  return ways_.of(difference)[choice_[(difference << axes_) + source]];
}

}  // namespace podsim::ici
