#include "platform/check/leftover_semaphores.h"

#include <fmt/format.h>

#include "platform/check/program_point.h"

namespace podsim::check {

namespace {

constexpr std::size_t kMostLines = 8;

// The latest that have raised a semaphore, as many as make up the surplus. Which of them it was can't be known.
std::string origin(const SemaphoreLedger& ledger, ChipId chip, std::uint32_t semaphore, std::uint64_t surplus,
                   const ici::TorusShape& torus) {
  const std::vector<Contribution> raised = ledger.outstanding(chip, semaphore);
  if (raised.empty()) return {};
  const Contribution& last = raised.back();
  const std::uint64_t waited_for = ledger.waited_for(chip, semaphore);
  const char* what =
      last.operation ? (last.of_send ? "the sending of a copy" : "a copy or vector operation") : "a signal";
  return fmt::format("; {} raised it, {} of chip {} {} at {}{}",
                     waited_for == 0 ? "nobody has waited for it; last" : "waited for too little; last", what,
                     podsim::index(last.chip), torus.place(last.chip), point_text(last.point.where),
                     surplus < last.amount ? fmt::format(" ({} of its {})", surplus, last.amount) : "");
}

}  // namespace

std::optional<Explanation> find_leftover_semaphores(const pod::Pod& pod, const Devices& devices,
                                                    const SemaphoreLedger* ledger) {
  Explanation explanation;
  std::string text;
  for (const auto& chip : pod.chips()) {
    chip->semaphores.for_each_nonzero([&](std::uint32_t semaphore, std::uint64_t value) {
      const std::string fact =
          fmt::format("chip {} {}: '{}' holds {}", podsim::index(chip->id()), pod.torus().place(chip->id()),
                      devices[podsim::index(chip->id())]->allocate().name_of({semaphore}), value);
      explanation.facts.push_back(fact);
      const std::string from =
          ledger != nullptr ? origin(*ledger, chip->id(), semaphore, value, pod.torus()) : std::string();
      if (explanation.facts.size() <= kMostLines) text += fmt::format("  {}{}\n", fact, from);
    });
  }
  if (explanation.facts.empty()) return std::nullopt;
  explanation.text = "semaphore left over: all programs have ended, but not all semaphores are back at zero.\n" + text;
  if (explanation.facts.size() > kMostLines) {
    explanation.text += fmt::format("  and {} more\n", explanation.facts.size() - kMostLines);
  }
  return explanation;
}

}  // namespace podsim::check
