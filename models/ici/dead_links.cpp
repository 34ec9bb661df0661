#include "models/ici/dead_links.h"

namespace podsim::ici {

std::vector<ChipId> cut_off_chips(const TorusShape& shape, const DeadLinks& dead) {
  if (dead.empty()) return {};
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> part(shape.chips(), kNone);
  std::vector<std::uint32_t> sizes;
  std::vector<ChipId> open;
  for (std::uint32_t first = 0; first < shape.chips(); ++first) {
    if (part[first] != kNone) continue;
    const auto number = static_cast<std::uint32_t>(sizes.size());
    sizes.push_back(0);
    part[first] = number;
    open.push_back(static_cast<ChipId>(first));
    while (!open.empty()) {
      const ChipId chip = open.back();
      open.pop_back();
      ++sizes[number];
      for (unsigned p = 0; p < shape.link_ports(); ++p) {
        const auto next = live_neighbour(shape, dead, chip, static_cast<Port>(p));
        if (!next || part[index(*next)] != kNone) continue;
        part[index(*next)] = number;
        open.push_back(*next);
      }
    }
  }
  const auto largest = static_cast<std::uint32_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  std::vector<ChipId> chips;
  for (std::uint32_t i = 0; i < shape.chips(); ++i) {
    if (part[i] != largest) chips.push_back(static_cast<ChipId>(i));
  }
  return chips;
}

}  // namespace podsim::ici
