#include "models/ici/link_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace podsim::ici {

namespace {
constexpr std::uint16_t kFar = 0xffff;
}

LinkGraph::LinkGraph(std::uint32_t chips, const std::vector<ListedLink>& links) {
  if (chips == 0 || chips > kMostChips) {
    throw std::invalid_argument(fmt::format("a pod of listed links has 1 to {} chips, not {}", kMostChips, chips));
  }
  neighbours_.resize(chips);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto [a, b] = links[i];
    for (const std::uint32_t chip : links[i]) {
      if (chip >= chips) throw ListedLinkError(i, fmt::format("there is no chip {}: the pod has {}", chip, chips));
    }
    if (a == b) throw ListedLinkError(i, fmt::format("chip {} can't be linked to itself", a));
    if (port_to(a, b)) throw ListedLinkError(i, fmt::format("chips {} and {} are linked already", a, b));
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
    for (const std::uint32_t chip : links[i]) {
      if (neighbours_[chip].size() > kMostPorts) {
        throw ListedLinkError(i, fmt::format("chip {} has more than {} links", chip, kMostPorts));
      }
    }
  }
  distance_.assign(std::size_t{chips} * chips, kFar);
  for (std::uint32_t chip = 0; chip < chips; ++chip) measure_from(chip);
  const auto unreached = std::find(distance_.begin(), distance_.begin() + chips, kFar);
  if (unreached != distance_.begin() + chips) {
    throw std::invalid_argument(fmt::format("no links lead from chip 0 to chip {}", unreached - distance_.begin()));
  }
}

// Breadth first.
void LinkGraph::measure_from(std::uint32_t chip) {
  const auto distance = distance_.begin() + static_cast<std::ptrdiff_t>(std::size_t{chip} * chips());
  std::vector<std::uint32_t> reached = {chip};
  distance[chip] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const std::uint32_t next : neighbours_[reached[i]]) {
      if (distance[next] != kFar) continue;
      distance[next] = static_cast<std::uint16_t>(distance[reached[i]] + 1);
      reached.push_back(next);
    }
  }
}

unsigned LinkGraph::ports() const {
  std::size_t most = 0;
  for (const auto& neighbours : neighbours_) most = std::max(most, neighbours.size());
  return static_cast<unsigned>(most);
}

std::optional<std::uint32_t> LinkGraph::neighbour(std::uint32_t chip, unsigned port) const {
  if (port >= neighbours_[chip].size()) return std::nullopt;
  return neighbours_[chip][port];
}

std::optional<unsigned> LinkGraph::port_to(std::uint32_t from, std::uint32_t to) const {
  const auto& neighbours = neighbours_[from];
  const auto found = std::find(neighbours.begin(), neighbours.end(), to);
  if (found == neighbours.end()) return std::nullopt;
  return static_cast<unsigned>(found - neighbours.begin());
}

std::uint32_t LinkGraph::centre() const {
  std::uint32_t best = 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint32_t chip = 0; chip < chips(); ++chip) {
    const auto first = distance_.begin() + static_cast<std::ptrdiff_t>(std::size_t{chip} * chips());
    const std::uint64_t sum = std::accumulate(first, first + chips(), std::uint64_t{0});
    if (sum < least) best = chip, least = sum;
  }
  return best;
}

}  // namespace podsim::ici
