#include "platform/check/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "platform/check/blocked_graph.h"
#include "platform/check/program_point.h"

namespace podsim::check {

namespace {

constexpr std::size_t kMostPlaces = 8;      // of one screen
constexpr std::size_t kMostSteps = 12;      // of a cycle
constexpr std::size_t kMostMissing = 6;     // counterparts
constexpr std::size_t kMostChipsNamed = 6;  // in one line

// Chips that wait at the same line for the same thing make one line of text.
using Place = std::tuple<std::string, std::string>;  // program line, what for

std::string chips_text(const std::vector<BlockedWait>& blocked, const ici::TorusShape& torus) {
  std::vector<std::string> names;
  // A chip may wait at the same place with several tasks; it is named once.
  std::set<ChipId> chips;
  for (const BlockedWait& each : blocked) {
    const bool is_new = chips.insert(each.chip).second;
    if (!is_new || names.size() == kMostChipsNamed) continue;
    names.push_back(fmt::format("{} {}", podsim::index(each.chip), torus.place(each.chip)));
  }
  const std::string more = chips.size() > names.size() ? fmt::format(" and {} more", chips.size() - names.size()) : "";
  return fmt::format("{} {}{}", chips.size() == 1 ? "chip" : "chips", fmt::join(names, ", "), more);
}

std::string headline(std::uint32_t unfinished, std::size_t chips, Hang hang) {
  const char* why = "nothing is left to happen";
  if (hang == Hang::kOutOfTime) why = "the time limit has been reached";
  if (hang == Hang::kNoProgress) why = "they are busy, but nothing moves, is signalled or granted (progress_limit)";
  return fmt::format("{}: {} of {} chips have not ended their program, and {}.\n",
                     hang == Hang::kNothingLeft ? "deadlock" : "time limit", unfinished, chips, why);
}

void tell_places(const pod::Pod& pod, const Devices& devices, Explanation& explanation) {
  std::map<Place, std::vector<BlockedWait>> places;
  for (const BlockedWait& wait : blocked_waits(pod, devices)) {
    places[{point_text(wait.point.where), wait.point.what}].push_back(wait);
  }
  std::size_t count = 0;
  for (const auto& [place, blocked] : places) {
    const auto& [line, what] = place;
    const auto name = [&](const BlockedWait& wait) {
      return devices[podsim::index(wait.chip)]->allocate().name_of({wait.semaphore});
    };
    for (const BlockedWait& each : blocked) {
      explanation.facts.push_back(fmt::format("chip {} {} waits at {} for {} ({}) to hold {}; it holds {}",
                                              podsim::index(each.chip), pod.torus().place(each.chip), line, what,
                                              name(each), each.wanted, each.held));
    }
    if (++count > kMostPlaces) continue;
    const BlockedWait& first = blocked.front();
    explanation.text += fmt::format("  {}\n    at {}\n    wait{} for {}, '{}', to hold {}; it holds {}\n",
                                    chips_text(blocked, pod.torus()), line, blocked.size() == 1 ? "s" : "", what,
                                    name(first), first.wanted, first.held);
  }
  if (count > kMostPlaces) explanation.text += fmt::format("  and {} more places\n", count - kMostPlaces);
}

// Programs that are not blocked, in a run that was cut off.
void tell_busy(const pod::Pod& pod, const Devices& devices, Explanation& explanation) {
  const std::vector<BlockedWait> waits = blocked_waits(pod, devices);
  std::size_t count = 0;
  for (const auto& device : devices) {
    const bool blocked = std::any_of(waits.begin(), waits.end(), [&](const auto& w) { return w.chip == device->id(); });
    if (!device->running() || blocked) continue;
    explanation.facts.push_back(fmt::format("chip {} {} is busy; its last access was to {}, at {}",
                                            podsim::index(device->id()), pod.torus().place(device->id()),
                                            device->point().what, point_text(device->point().where)));
    if (++count <= kMostPlaces) explanation.text += fmt::format("  {}\n", explanation.facts.back());
  }
  if (count > kMostPlaces) explanation.text += fmt::format("  and {} more\n", count - kMostPlaces);
}

void tell_contexts(const pod::Pod& pod, const Devices& devices, Explanation& explanation) {
  const auto lacks = std::find_if(devices.begin(), devices.end(),
                                  [](const auto& device) { return device->waiting_for_context() > 0; });
  if (lacks == devices.end()) return;
  const ChipId chip = (*lacks)->id();
  explanation.facts.push_back(fmt::format(
      "chip {} {}: {} spawned tasks wait for one of the core's {} contexts (scalar_core.contexts)", podsim::index(chip),
      pod.torus().place(chip), (*lacks)->waiting_for_context(), pod.config().chip.scalar_core.contexts));
  explanation.text += fmt::format("  {}\n", explanation.facts.back());
}

const WaitForGraph::Edge* edge_between(const WaitForGraph& graph, std::size_t from, std::size_t to) {
  for (const std::size_t each : graph.out(from)) {
    if (graph.edges[each].to == to) return &graph.edges[each];
  }
  return nullptr;
}

std::string node_text(const WaitForGraph::Node& node) {
  return node.state.empty() ? node.name : fmt::format("{} ({})", node.name, node.state);
}

void tell_cycle(const WaitForGraph& graph, Explanation& explanation) {
  explanation.text += "  each waits for the next, and the last for the first:\n";
  const auto is_semaphore = [&](std::size_t node) { return graph.nodes[node].kind == WaitForGraph::Kind::kSemaphore; };
  std::vector<std::size_t> cycle = graph.cycle;  // not to begin in the middle of a sentence
  std::rotate(cycle.begin(), std::find_if_not(cycle.begin(), cycle.end(), is_semaphore), cycle.end());
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const WaitForGraph::Node& from = graph.nodes[cycle[i]];
    const std::size_t next = cycle[(i + 1) % cycle.size()];
    const WaitForGraph::Node& to = graph.nodes[next];
    const WaitForGraph::Edge* const edge = edge_between(graph, cycle[i], next);
    const std::string why = edge != nullptr ? edge->why : std::string();
    explanation.facts.push_back(fmt::format("{} -> {}: {}", node_text(from), to.name, why));
    if (i >= kMostSteps) continue;
    if (is_semaphore(cycle[i])) {
      explanation.text += fmt::format("      {} {}\n", to.name, why);
    } else if (is_semaphore(next)) {
      explanation.text += fmt::format("    {}\n      waits for {}\n", node_text(from), node_text(to));
    } else {
      explanation.text += fmt::format("    {}\n      {}: {}\n", node_text(from), why, to.name);
    }
  }
  if (graph.cycle.size() > kMostSteps) {
    explanation.text += fmt::format("    and {} more\n", graph.cycle.size() - kMostSteps);
  }
}

// What waits for nothing, and those who wait for it.
void tell_missing(const WaitForGraph& graph, Explanation& explanation) {
  std::size_t count = 0;
  for (const WaitForGraph::Edge& edge : graph.edges) {
    const WaitForGraph::Node& to = graph.nodes[edge.to];
    if (!graph.out(edge.to).empty() || to.kind == WaitForGraph::Kind::kTask) continue;
    if (to.kind == WaitForGraph::Kind::kCopy || to.kind == WaitForGraph::Kind::kBuffer) continue;
    const WaitForGraph::Node& from = graph.nodes[edge.from];
    const std::string who = to.kind == WaitForGraph::Kind::kNobody ? "" : ": " + node_text(to);
    explanation.facts.push_back(fmt::format("missing: {}: {}{}", from.name, edge.why, who));
    if (++count > kMostMissing) continue;
    if (count == 1) explanation.text += "  nobody is left to end these waits:\n";
    explanation.text += fmt::format("    {}\n      {}{}\n", from.name, edge.why, who);
  }
  if (count > kMostMissing) explanation.text += fmt::format("    and {} more\n", count - kMostMissing);
}

}  // namespace

Explanation explain_blocked(pod::Pod& pod, const Devices& devices, const Observers& observers, Hang hang) {
  const auto unfinished = static_cast<std::uint32_t>(
      std::count_if(devices.begin(), devices.end(), [](const auto& device) { return device->running(); }));
  Explanation explanation;
  explanation.text = headline(unfinished, devices.size(), hang);
  tell_places(pod, devices, explanation);
  if (hang != Hang::kNothingLeft) tell_busy(pod, devices, explanation);
  tell_contexts(pod, devices, explanation);
  // Last, since it plays the programs on.
  auto graph = std::make_shared<WaitForGraph>(blocked_graph(pod, devices, observers));
  if (!graph->cycle.empty()) {
    tell_cycle(*graph, explanation);
  } else if (hang != Hang::kOutOfTime) {  // otherwise what is wanted may well be under way
    tell_missing(*graph, explanation);
  }
  explanation.graph = std::move(graph);
  return explanation;
}

}  // namespace podsim::check
