#include "platform/run/run_ahead.h"

#include <algorithm>

#include "firmware/collectives/cost_model.h"
#include "platform/run/figures.h"

namespace podsim::run {

namespace {

using firmware::Algorithm;
using firmware::CollectiveKind;

// Whether each chip sends to its neighbours on the torus only.
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

}  // namespace

Picoseconds lookahead_of(const Step& step, const pod::Pod& pod) {
  const pod::ChipConfig& chip = pod.config().chip;
  const ici::TorusShape& torus = pod.torus();
  const bool plain = torus.listed_links() == nullptr && !torus.twisted() && pod.dead_links().empty();
  if (chip.ici.fidelity != ici::Fidelity::kBurst || !plain) return 0;
  if (step.program != nullptr || step.stand_in || step.module != nullptr) return 0;
  if (!step.sequence.empty() || !step.beside.empty()) return 0;
  const Algorithm algorithm = firmware::chosen_algorithm(step.collective, torus, figures_of(chip));
  if (!among_neighbours(step.collective, torus, algorithm)) return 0;
  Picoseconds lookahead = chip.ici.link.hop_latency.ps;
  for (const pod::Pod::Link& link : pod.links()) {
    lookahead = std::min(lookahead, link.module->config().hop_latency.ps);
  }
  return lookahead;
}

}  // namespace podsim::run
