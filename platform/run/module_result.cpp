#include "platform/run/module_result.h"

#include <algorithm>

namespace podsim::run {

using firmware::Execution;
using firmware::Slot;

StepBreakdown ModuleResult::breakdown(ChipId chip) const {
  const Execution& execution = chips[index(chip)];
  StepBreakdown parts;
  for (std::size_t at = 0; at < plan.order.size(); ++at) {
    const firmware::Work& work = module.instructions[plan.order[at].instruction].work;
    const bool to_host = std::holds_alternative<firmware::HostTransfer>(work);
    Picoseconds& part = plan.order[at].kind == Slot::Kind::kRun     ? parts.compute
                        : plan.order[at].kind == Slot::Kind::kStart ? parts.issue
                        : to_host                                   ? parts.host
                                                                    : parts.communication;
    part += execution.slots[at].length();
  }
  parts.total = execution.end - execution.begin;
  return parts;
}

ChipId ModuleResult::slowest() const {
  const auto longest = std::max_element(chips.begin(), chips.end(), [](const Execution& a, const Execution& b) {
    return a.end - a.begin < b.end - b.begin;
  });
  return static_cast<ChipId>(longest - chips.begin());
}

std::vector<TransferFigures> ModuleResult::transfers() const {
  std::vector<TransferFigures> all;
  for (std::size_t at = 0; at < plan.order.size(); ++at) {
    if (plan.order[at].kind != Slot::Kind::kStart) continue;
    const std::size_t number = plan.order[at].instruction;
    TransferFigures worst;
    for (std::size_t c = 0; c < chips.size(); ++c) {
      if (!module.instructions[number].executed_by(static_cast<ChipId>(c))) continue;
      const Execution& execution = chips[c];
      const Execution::Transfer& transfer = execution.transfers[number];
      const Picoseconds exposed = transfer.waited + execution.slots[at].length();
      if (c > 0 && exposed <= worst.exposed) continue;
      worst = {number,
               static_cast<ChipId>(c),
               transfer.issued - execution.begin,
               transfer.started - execution.begin,
               transfer.finished - execution.begin,
               exposed,
               std::max<Picoseconds>(0, transfer.finished - transfer.issued - exposed)};
    }
    all.push_back(worst);
  }
  return all;
}

}  // namespace podsim::run
