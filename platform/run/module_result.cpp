#include "platform/run/module_result.h"

#include <algorithm>

namespace podsim::run {

using firmware::Execution;
using firmware::Slot;

StepBreakdown ModuleResult::breakdown(ChipId chip) const {
  const Execution& execution = chips[index(chip)];
  StepBreakdown parts;
  parts.total = execution.end - execution.begin;
  for (std::size_t at = 0; at < plan.order.size(); ++at) {
    const std::size_t number = plan.order[at].instruction;
    const Execution::Interval& slot = execution.slots[at];
    const Picoseconds alone = durations[number];
    if (plan.order[at].kind == Slot::Kind::kStart) {
      parts.issue += slot.length();
      continue;
    }
    if (plan.order[at].kind == Slot::Kind::kRun) {
      const Picoseconds slowed = std::clamp<Picoseconds>(slot.length() - alone, 0, slot.length());
      parts.compute.slowed += slowed;
      parts.compute.alone += slot.length() - slowed;
      continue;
    }
    const Execution::Transfer& transfer = execution.transfers[number];
    const Picoseconds slowed = std::clamp<Picoseconds>(transfer.finished - transfer.issued - alone, 0, slot.length());
    const bool to_host = std::holds_alternative<firmware::HostTransfer>(module.instructions[number].work);
    StepBreakdown::Part& part = to_host ? parts.host : parts.communication;
    part.slowed += slowed;
    part.alone += slot.length() - slowed;
    (to_host ? parts.host_stalls : parts.communication_stalls) += stalls[index(chip)][at];
  }
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
    const auto done = static_cast<std::size_t>(
        std::find(plan.order.begin(), plan.order.end(), Slot{Slot::Kind::kDone, number}) - plan.order.begin());
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
               std::max<Picoseconds>(0, transfer.finished - transfer.issued - exposed),
               done < plan.order.size() ? stalls[c][done] : stall::Stalls{}};
    }
    all.push_back(worst);
  }
  return all;
}

}  // namespace podsim::run
