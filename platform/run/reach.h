// How far the chips of a collective reach.
#pragma once

#include "firmware/collectives/algorithm.h"
#include "firmware/collectives/call.h"
#include "models/ici/torus.h"

namespace podsim::run {

// Whether each chip sends to its neighbours on the torus only.
[[nodiscard]] bool among_neighbours(const firmware::CollectiveCall& call, const ici::TorusShape& torus,
                                    firmware::Algorithm algorithm);

}  // namespace podsim::run
