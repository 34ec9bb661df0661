#include "platform/run/symmetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "firmware/collectives/collective.h"
#include "firmware/collectives/cost_model.h"
#include "platform/run/figures.h"
#include "platform/run/module_plan.h"
#include "platform/run/reach.h"

namespace podsim::run {

using firmware::CollectiveKind;

namespace {

// Whether every chip sends to the one at the same place beside it.
bool is_a_shift_to_neighbours(const firmware::CollectiveCall& call, const ici::TorusShape& torus) {
  if (call.kind != CollectiveKind::kCollectivePermute || call.pairs.size() != torus.chips()) return false;
  const auto is_shift_by = [&](ici::Port port) {
    return std::all_of(call.pairs.begin(), call.pairs.end(),
                       [&](const auto& pair) { return torus.neighbour(pair.first, port) == pair.second; });
  };
  for (unsigned port = 0; port < torus.link_ports(); ++port) {
    if (is_shift_by(static_cast<ici::Port>(port))) return true;
  }
  return false;
}

std::string why_not(const firmware::CollectiveCall& call, const pod::PodConfig& config, const ici::TorusShape& torus) {
  if (is_a_shift_to_neighbours(call, torus)) return {};
  const firmware::Algorithm algorithm = firmware::chosen_algorithm(call, torus, figures_of(config.chip));
  if (!among_neighbours(call, torus, algorithm)) return "its chips don't send to their neighbours alone";
  const std::uint64_t members = firmware::group_size(call, torus);
  if (call.elements % members == 0) return {};
  return fmt::format("{} elements can't be shared out evenly over {} chips", call.elements, members);
}

std::string why_not(const firmware::Instruction& instruction, const pod::PodConfig& config,
                    const ici::TorusShape& torus) {
  if (!instruction.chips.empty()) return "not all chips execute it";
  if (std::holds_alternative<firmware::HostTransfer>(instruction.work)) return "chips share their host";
  const auto* const call = std::get_if<firmware::CollectiveCall>(&instruction.work);
  return call != nullptr ? why_not(*call, config, torus) : std::string();
}

std::string why_not(const Step& step, const pod::PodConfig& config, const ici::TorusShape& torus) {
  const bool other = step.program != nullptr || step.carrier != nullptr || step.stand_in;
  if (other || !step.beside.empty() || !step.sequence.empty()) {
    return "it is neither a collective, a kernel nor a module";
  }
  if (step.kernel) return {};
  if (step.module == nullptr) return why_not(step.collective, config, torus);
  for (const firmware::Instruction& instruction : step.module->module.instructions) {
    const std::string why = why_not(instruction, config, torus);
    if (!why.empty()) return fmt::format("{}: {}", instruction.name, why);
  }
  return {};
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
  const bool pays = torus.chips() > kMostAutoChips || options.checks == CheckLevel::kNone;
  if (options.symmetry == Symmetry::kAuto && !pays) return pod::Extent::kAllChips;
  const std::string why = why_not_symmetric(steps, config, torus, options, with_data);
  if (why.empty()) return pod::Extent::kOneForAll;
  if (options.symmetry == Symmetry::kOn) throw std::invalid_argument("one chip can't stand for all: " + why);
  return pod::Extent::kAllChips;
}

}  // namespace podsim::run
