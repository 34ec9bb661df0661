#include "platform/run/symmetry.h"

#include <fmt/format.h>

#include <stdexcept>

#include "firmware/collectives/collective.h"
#include "firmware/collectives/cost_model.h"
#include "platform/run/figures.h"
#include "platform/run/reach.h"

namespace podsim::run {

namespace {

std::string why_not(const Step& step, const pod::PodConfig& config, const ici::TorusShape& torus) {
  if (!step.is_collective() || step.stand_in || !step.beside.empty()) return "it is more than one collective";
  const firmware::Algorithm algorithm = firmware::chosen_algorithm(step.collective, torus, figures_of(config.chip));
  if (!among_neighbours(step.collective, torus, algorithm)) return "its chips don't send to their neighbours alone";
  const std::uint64_t members = firmware::group_size(step.collective, torus);
  if (step.collective.elements % members == 0) return {};
  return fmt::format("{} elements can't be shared out evenly over {} chips", step.collective.elements, members);
}

}  // namespace

std::string why_not_symmetric(const std::vector<Step>& steps, const pod::PodConfig& config,
                              const ici::TorusShape& torus, const RunOptions& options, bool with_data) {
  if (with_data) return "data moves, and is checked on each chip";
  if (options.perturbation || options.wrap_bus) return "chips are disturbed";
  if (options.checks == CheckLevel::kAll) return "hazards are looked for";
  if (config.chip.ici.fidelity == ici::Fidelity::kFlow) return "flows are shared out over the whole pod";
  if (!pod::chips_are_alike(config, torus)) return "the pod's chips are not alike: it must be a torus of equal links";
  for (const Step& step : steps) {
    if (const std::string why = why_not(step, config, torus); !why.empty()) return step.name + ": " + why;
  }
  return {};
}

pod::Extent chosen_extent(const std::vector<Step>& steps, const pod::PodConfig& config, const ici::TorusShape& torus,
                          const RunOptions& options, bool with_data) {
  if (options.symmetry == Symmetry::kOff) return pod::Extent::kAllChips;
  if (options.symmetry == Symmetry::kAuto && torus.chips() <= kMostAutoChips) return pod::Extent::kAllChips;
  const std::string why = why_not_symmetric(steps, config, torus, options, with_data);
  if (why.empty()) return pod::Extent::kOneForAll;
  if (options.symmetry == Symmetry::kOn) throw std::invalid_argument("one chip can't stand for all: " + why);
  return pod::Extent::kAllChips;
}

}  // namespace podsim::run
