// A pod of listed links has no axes to go along: a collective of the whole pod gets a ring laid through all chips.
#pragma once

#include <memory>

#include "firmware/collectives/replica_groups.h"
#include "models/ici/torus.h"

namespace podsim::run {

// Null for a mesh or a torus. `torus` outlives it.
[[nodiscard]] std::shared_ptr<const firmware::ReplicaGroups> whole_ring(const ici::TorusShape& torus);

}  // namespace podsim::run
