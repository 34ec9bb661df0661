#include "platform/check/faults.h"

#include <fmt/format.h>

namespace podsim::check {

std::optional<Explanation> find_fault(const pod::Pod& pod) {
  Explanation explanation;
  const auto note = [&](ChipId chip, const std::string& what) {
    if (what.empty()) return;
    explanation.facts.push_back(fmt::format("chip {} {}: {}", podsim::index(chip), pod.torus().place(chip), what));
  };
  for (const auto& chip : pod.chips()) {
    note(chip->id(), chip->scalar_core.first_fault());
    for (const auto& engine : chip->dma_engines) note(chip->id(), engine->first_fault());
    for (const auto& core : chip->tensor_cores) {
      if (core->statistics().errors > 0) note(chip->id(), "a TensorCore command: " + core->statistics().last_error);
    }
    if (const std::uint64_t rejected = chip->network_interface.statistics().rejected_writes) {
      note(chip->id(), fmt::format("{} writes from other chips to addresses where nothing answers", rejected));
    }
  }
  if (explanation.facts.empty()) return std::nullopt;
  explanation.text = fmt::format("hazard: an access outside of memory.\n  {}\n", explanation.facts.front());
  if (explanation.facts.size() > 1) {
    explanation.text += fmt::format("  and {} more\n", explanation.facts.size() - 1);
  }
  return explanation;
}

}  // namespace podsim::check
