#include "platform/run/reach.h"

namespace podsim::run {

using firmware::Algorithm;
using firmware::CollectiveKind;

bool among_neighbours(const firmware::CollectiveCall& call, const ici::TorusShape& torus, Algorithm algorithm) {
  switch (call.kind) {
    case CollectiveKind::kAllGather:
    case CollectiveKind::kReduceScatter:
    case CollectiveKind::kAllReduce: break;
    default: return false;
  }
  if (algorithm != Algorithm::kRing && algorithm != Algorithm::kTorus && algorithm != Algorithm::kWholeShards) {
    return false;
  }
  // One way, the message from the last chip of a line to the first travels back along it.
  for (unsigned axis = 0; axis < torus.axes(); ++axis) {
    const bool wraps = torus.axis(static_cast<ici::Axis>(axis)).wrap;
    if (!wraps && call.directions == firmware::Directions::kOneWay) return false;
  }
  return call.groups == nullptr;
}

}  // namespace podsim::run
