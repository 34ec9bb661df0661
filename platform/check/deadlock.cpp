#include "platform/check/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "platform/check/program_point.h"

namespace podsim::check {

namespace {

constexpr std::size_t kMostLines = 12;      // of one screen
constexpr std::size_t kMostChipsNamed = 6;  // in one line

struct Blocked {
  ChipId chip;
  std::string semaphore;
  std::uint64_t wanted;
  std::uint64_t held;
};

// Chips that wait at the same line for the same thing make one line of text.
using Place = std::tuple<std::string, std::string>;  // program line, what for

std::string chips_text(const std::vector<Blocked>& blocked, const ici::TorusShape& torus) {
  std::vector<std::string> names;
  // A chip may wait at the same place with several tasks; it is named once.
  std::set<ChipId> chips;
  for (const Blocked& each : blocked) {
    const bool is_new = chips.insert(each.chip).second;
    if (!is_new || names.size() == kMostChipsNamed) continue;
    names.push_back(fmt::format("{} {}", podsim::index(each.chip), torus.place(each.chip)));
  }
  const std::string more = chips.size() > names.size() ? fmt::format(" and {} more", chips.size() - names.size()) : "";
  return fmt::format("{} {}{}", chips.size() == 1 ? "chip" : "chips", fmt::join(names, ", "), more);
}

}  // namespace

Explanation explain_blocked(pod::Pod& pod, const Devices& devices, bool out_of_time) {
  std::map<Place, std::vector<Blocked>> places;
  std::uint32_t unfinished = 0;
  for (const auto& device : devices) {
    if (!device->running()) continue;
    ++unfinished;
    const chip::Chip& chip = pod.chip(device->id());
    chip.scalar_core.for_each_blocked([&](const scalar_core::PendingAccess& access) {
      const std::uint32_t semaphore = semaphore::semaphore_of(access.address);
      places[{point_text(access.point.where), access.point.what}].push_back(
          {device->id(), device->allocate().name_of({semaphore}), access.value, chip.semaphores.value(semaphore)});
    });
  }

  Explanation explanation;
  const auto no_context = std::find_if(devices.begin(), devices.end(),
                                       [](const auto& device) { return device->waiting_for_context() > 0; });
  explanation.text = fmt::format("{}: {} of {} chips have not ended their program, and {}.\n",
                                 out_of_time ? "time limit" : "deadlock", unfinished, devices.size(),
                                 out_of_time ? "the time limit has been reached" : "nothing is left to happen");
  std::size_t lines = 0;
  for (const auto& [place, blocked] : places) {
    const auto& [line, what] = place;
    for (const Blocked& each : blocked) {
      explanation.facts.push_back(fmt::format("chip {} {} waits at {} for {} ({}) to hold {}; it holds {}",
                                              podsim::index(each.chip), pod.torus().place(each.chip), line, what,
                                              each.semaphore, each.wanted, each.held));
    }
    if (++lines > kMostLines) continue;
    const Blocked& first = blocked.front();
    explanation.text += fmt::format("  {}\n    at {}\n    wait{} for {}, '{}', to hold {}; it holds {}\n",
                                    chips_text(blocked, pod.torus()), line, blocked.size() == 1 ? "s" : "", what,
                                    first.semaphore, first.wanted, first.held);
  }
  if (no_context != devices.end()) {
    const ChipId chip = (*no_context)->id();
    explanation.facts.push_back(
        fmt::format("chip {} {}: {} spawned tasks wait for one of the core's {} contexts (scalar_core.contexts)",
                    podsim::index(chip), pod.torus().place(chip), (*no_context)->waiting_for_context(),
                    pod.config().chip.scalar_core.contexts));
    explanation.text += fmt::format("  {}\n", explanation.facts.back());
  }
  if (lines > kMostLines) explanation.text += fmt::format("  and {} more places\n", lines - kMostLines);
  return explanation;
}

}  // namespace podsim::check
