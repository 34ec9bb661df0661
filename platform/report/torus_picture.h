// A mesh or torus drawn in characters: chips by number, links between them, marks where an axis wraps.
#pragma once

#include <string>

#include "models/ici/dead_links.h"
#include "models/ici/torus.h"

namespace podsim::report {

// The first two axes as a grid, x to the right and y downwards. Of more axes, the plane at zero, and a line for each
// that says what lies behind it. Long axes are cut short in the middle. A dead link is an x.
//
//       ^    ^    ^
//   <-  0 -- 1 -- 2 ->
//       |    |    |
//   <-  3 -- 4 -- 5 ->
//       v    v    v
// Of a pod of listed links, a line for each chip with those that it is linked to.
[[nodiscard]] std::string torus_picture(const ici::TorusShape& torus, const ici::DeadLinks& dead = {});

}  // namespace podsim::report
