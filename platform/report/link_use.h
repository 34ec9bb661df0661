// How much the links of a pod had to do: per link, and per axis and direction.
#pragma once

#include <string>
#include <vector>

#include "platform/pod/pod.h"

namespace podsim::report {

struct LinkUse {
  ChipId from{};
  ChipId to{};
  ici::Port port{};
  ici::LinkStatistics statistics;
  double busy_fraction = 0;  // of the time looked at
};

// All links in the pod's order. `time`: how long the counters have been counting.
[[nodiscard]] std::vector<LinkUse> link_use(const pod::Pod& pod, Picoseconds time);

// The links that leave by one port, such as x+.
struct DirectionUse {
  ici::Port port{};
  std::size_t links = 0;
  double mean = 0;  // busy fractions
  double max = 0;
};

// Directions that have links, in the order of ports.
[[nodiscard]] std::vector<DirectionUse> by_direction(const std::vector<LinkUse>& links);
// The first of the links with the largest busy fraction; null without links.
[[nodiscard]] const LinkUse* busiest(const std::vector<LinkUse>& links);

// "x+", "y-"
[[nodiscard]] std::string direction_text(ici::Port port, const ici::TorusShape& torus);
// "chip 0 (0,0) -> 1 (1,0)"
[[nodiscard]] std::string link_text(const LinkUse& link, const ici::TorusShape& torus);

}  // namespace podsim::report
