#include "platform/run/run_ahead.h"

#include <algorithm>

#include "firmware/collectives/cost_model.h"
#include "platform/run/figures.h"
#include "platform/run/reach.h"

namespace podsim::run {

Picoseconds lookahead_of(const Step& step, const pod::Pod& pod) {
  const pod::ChipConfig& chip = pod.config().chip;
  const ici::TorusShape& torus = pod.torus();
  const bool plain = torus.listed_links() == nullptr && !torus.twisted() && pod.dead_links().empty();
  if (chip.ici.fidelity == ici::Fidelity::kFlow || !plain) return 0;
  if (step.program != nullptr || step.carrier != nullptr || step.stand_in || step.module != nullptr) return 0;
  if (!step.sequence.empty() || !step.beside.empty()) return 0;
  const firmware::Algorithm algorithm = firmware::chosen_algorithm(step.collective, torus, figures_of(chip));
  if (!among_neighbours(step.collective, torus, algorithm)) return 0;
  Picoseconds lookahead = chip.ici.link.hop_latency.ps;
  for (const pod::Pod::Link& link : pod.links()) {
    lookahead = std::min(lookahead, link.module->config().hop_latency.ps);
  }
  return lookahead;
}

}  // namespace podsim::run
