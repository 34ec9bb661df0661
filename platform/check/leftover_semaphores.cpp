#include "platform/check/leftover_semaphores.h"

#include <fmt/format.h>

namespace podsim::check {

namespace {
constexpr std::size_t kMostLines = 8;
}  // namespace

std::optional<Explanation> find_leftover_semaphores(const pod::Pod& pod, const Devices& devices) {
  Explanation explanation;
  for (const auto& chip : pod.chips()) {
    chip->semaphores.for_each_nonzero([&](std::uint32_t semaphore, std::uint64_t value) {
      explanation.facts.push_back(
          fmt::format("chip {} {}: '{}' holds {}", podsim::index(chip->id()), pod.torus().place(chip->id()),
                      devices[podsim::index(chip->id())]->allocate().name_of({semaphore}), value));
    });
  }
  if (explanation.facts.empty()) return std::nullopt;
  explanation.text = "semaphore left over: all programs have ended, but not all semaphores are back at zero.\n";
  for (std::size_t i = 0; i < explanation.facts.size() && i < kMostLines; ++i) {
    explanation.text += fmt::format("  {}\n", explanation.facts[i]);
  }
  if (explanation.facts.size() > kMostLines) {
    explanation.text += fmt::format("  and {} more\n", explanation.facts.size() - kMostLines);
  }
  return explanation;
}

}  // namespace podsim::check
