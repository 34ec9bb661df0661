#include "platform/check/deadlock.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "platform/check/program_point.h"

namespace podsim::check {

namespace {

constexpr std::size_t kMostLines = 12;       // of one screen
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
  for (const Blocked& each : blocked) {
    if (names.size() == kMostChipsNamed) break;
    names.push_back(fmt::format("{} {}", podsim::index(each.chip), torus.place(each.chip)));
  }
  const std::string more =
      blocked.size() > names.size() ? fmt::format(" and {} more", blocked.size() - names.size()) : "";
  return fmt::format("{} {}{}", blocked.size() == 1 ? "chip" : "chips", fmt::join(names, ", "), more);
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
  explanation.text = fmt::format("{}: {} of {} chips have not ended their program, and {}.\n",
                                 out_of_time ? "time limit" : "deadlock", unfinished, devices.size(),
                                 out_of_time ? "the time limit has been reached" : "nothing is left to happen");
  std::size_t lines = 0;
  for (const auto& [place, blocked] : places) {
    const auto& [line, what] = place;
    for (const Blocked& each : blocked) {
      explanation.facts.push_back(fmt::format(
          "chip {} {} waits at {} for {} ({}) to hold {}; it holds {}", podsim::index(each.chip),
          pod.torus().place(each.chip), line, what, each.semaphore, each.wanted, each.held));
    }
    if (++lines > kMostLines) continue;
    const Blocked& first = blocked.front();
    explanation.text += fmt::format("  {}\n    at {}\n    wait{} for {}, '{}', to hold {}; it holds {}\n",
                                    chips_text(blocked, pod.torus()), line, blocked.size() == 1 ? "s" : "", what,
                                    first.semaphore, first.wanted, first.held);
  }
  if (lines > kMostLines) explanation.text += fmt::format("  and {} more places\n", lines - kMostLines);
  return explanation;
}

}  // namespace podsim::check
