#include "platform/report/link_use.h"

#include <fmt/format.h>

#include <algorithm>

namespace podsim::report {

std::vector<LinkUse> link_use(const pod::Pod& pod, Picoseconds time) {
  std::vector<LinkUse> uses;
  uses.reserve(pod.links().size() * pod.stands_for());
  // What one chip that stands for all has sent, each has.
  for (std::uint32_t chip = 0; chip < pod.stands_for(); ++chip) {
    for (const pod::Pod::Link& link : pod.links()) {
      LinkUse use;
      use.from = static_cast<ChipId>(index(link.from) + chip);
      use.to = pod.torus().neighbour(use.from, link.port).value();
      use.port = link.port;
      use.statistics = pod.link_statistics(link);
      if (time > 0) use.busy_fraction = static_cast<double>(use.statistics.busy) / static_cast<double>(time);
      uses.push_back(use);
    }
  }
  return uses;
}

std::vector<DirectionUse> by_direction(const std::vector<LinkUse>& links) {
  std::vector<DirectionUse> directions(ici::kMaxLinkPorts);
  for (const LinkUse& link : links) {
    DirectionUse& direction = directions[ici::index(link.port)];
    direction.port = link.port;
    ++direction.links;
    direction.mean += link.busy_fraction;
    direction.max = std::max(direction.max, link.busy_fraction);
  }
  std::erase_if(directions, [](const DirectionUse& direction) { return direction.links == 0; });
  for (DirectionUse& direction : directions) direction.mean /= static_cast<double>(direction.links);
  return directions;
}

const LinkUse* busiest(const std::vector<LinkUse>& links) {
  const auto most = std::max_element(
      links.begin(), links.end(), [](const LinkUse& a, const LinkUse& b) { return a.busy_fraction < b.busy_fraction; });
  return most == links.end() ? nullptr : &*most;
}

std::string direction_text(ici::Port port, const ici::TorusShape& torus) {
  if (torus.listed_links() != nullptr) return fmt::format("port {}", ici::index(port));
  return torus.axis(ici::axis_of(port)).name + (ici::is_plus(port) ? "+" : "-");
}

std::string link_text(const LinkUse& link, const ici::TorusShape& torus) {
  return fmt::format("chip {} {} -> {} {}", index(link.from), torus.place(link.from), index(link.to),
                     torus.place(link.to));
}

}  // namespace podsim::report
