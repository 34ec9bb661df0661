#include "models/ici/up_down_routes.h"

#include <algorithm>

namespace podsim::ici {

UpDownRoutes::UpDownRoutes(const TorusShape& shape, const DeadLinks& dead, ChipId root)
    : shape_(shape), dead_(dead), rank_(shape.chips()), tables_(shape.chips()) {
  put_in_order(root);
}

// Breadth first.
void UpDownRoutes::put_in_order(ChipId root) {
  std::vector<bool> seen(shape_.chips());
  order_.push_back(root);
  seen[index(root)] = true;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    rank_[index(order_[i])] = static_cast<std::uint32_t>(i);
    for (unsigned p = 0; p < shape_.link_ports(); ++p) {
      const auto next = live_neighbour(shape_, dead_, order_[i], static_cast<Port>(p));
      if (!next || seen[index(*next)]) continue;
      seen[index(*next)] = true;
      order_.push_back(*next);
    }
  }
}

UpDownRoutes::Table UpDownRoutes::table_to(ChipId to) const {
  constexpr std::uint32_t kFar = ~std::uint32_t{0} - 1;
  Table table(shape_.chips());
  std::vector<std::uint32_t> down(shape_.chips(), kFar), free(shape_.chips(), kFar);
  down[index(to)] = free[index(to)] = 0;

  // The best of a chip's links, `links` further away than `far(chip at its end)`; of several, one that depends on
  // where.
  const auto choose = [&](ChipId chip, std::uint32_t& best, std::uint8_t& choice, const auto& far) {
    std::array<std::uint8_t, kMaxLinkPorts> ports{};
    unsigned count = 0;
    for (unsigned p = 0; p < shape_.link_ports(); ++p) {
      const auto next = live_neighbour(shape_, dead_, chip, static_cast<Port>(p));
      const std::uint32_t links = next ? far(*next) + 1 : kFar;
      if (links > best || links >= kFar) continue;
      if (links < best) count = 0;
      best = links;
      ports[count++] = static_cast<std::uint8_t>(p);
    }
    if (count > 0) choice = ports[(index(chip) + index(to)) % count];
  };

  // Downward links lead to later chips, upward ones to earlier chips: one pass each, from the far end.
  for (auto chip = order_.rbegin(); chip != order_.rend(); ++chip) {
    if (*chip == to) continue;
    choose(*chip, down[index(*chip)], table[index(*chip)].down,
           [&](ChipId next) { return is_down(*chip, next) ? down[index(next)] : kFar; });
  }
  for (const ChipId chip : order_) {
    if (chip == to) continue;
    choose(chip, free[index(chip)], table[index(chip)].free,
           [&](ChipId next) { return is_down(chip, next) ? down[index(next)] : free[index(next)]; });
  }
  return table;
}

Port UpDownRoutes::next(ChipId here, std::optional<Port> in_port, ChipId to) const {
  Table& table = tables_[index(to)];
  if (table.empty()) table = table_to(to);
  const bool went_down = in_port && is_down(shape_.neighbour(here, *in_port).value(), here);
  const Entry& entry = table[index(here)];
  return static_cast<Port>(went_down ? entry.down : entry.free);
}

}  // namespace podsim::ici
