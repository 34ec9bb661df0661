#include "platform/report/run_text.h"

#include <fmt/format.h>

#include "platform/report/number_text.h"
#include "platform/report/text_table.h"

namespace podsim::report {

namespace {

const TextTable& step_table() {
  static const TextTable table({{"step", 4},
                                {"what", 19, true},
                                {"group", 5},
                                {"size", 9},
                                {"type", 4},
                                {"redop", 5},
                                {"time(us)", 11},
                                {"algbw(GB/s)", 11},
                                {"busbw(GB/s)", 11},
                                {"#wrong", 6},
                                {"cycles", 10},
                                {"events", 9},
                                {"wall(s)", 7},
                                {"algorithm", 10, true}});
  return table;
}

std::string algorithm_text(const run::StepResult& result) {
  if (result.stretch.max <= 1) return result.algorithm;
  return fmt::format("{}, hop stretch {:.2f} (at most {})", result.algorithm, result.stretch.mean, result.stretch.max);
}

std::string percent(double fraction) { return fmt::format("{:.0f}", 100 * fraction); }

}  // namespace

std::string run_header(const RunRecord& run) {
  std::string text = run.description.empty() ? "" : run.description + '\n';
  text += fmt::format("  pod   {}\n", pod_line(run.pod));
  if (const std::string dead = dead_links_text(run.pod); !dead.empty()) text += fmt::format("  dead  {}\n", dead);
  if (const std::string extent = extent_text(run.pod); !extent.empty()) text += fmt::format("  model {}\n", extent);
  text += fmt::format("  data  {}{}\n\n", run.with_data ? "real" : "none",
                      run.data_reason.empty() ? "" : fmt::format(" ({})", run.data_reason));
  return text;
}

std::string step_header() { return step_table().header(); }

namespace {

std::string result_row(const std::string& number, const run::StepResult& result) {
  if (result.module != nullptr) {  // which is no single call of one size
    return step_table().row({number, result.name, fmt::format("{}", result.group_size), "", "", "",
                             fmt::format("{:.3f}", microseconds(result.time)), "", "",
                             result.wrong ? fmt::format("{}", *result.wrong) : "N/A", fmt::format("{}", result.cycles),
                             fmt::format("{}", result.events), fmt::format("{:.3f}", result.wall_s), ""});
  }
  return step_table().row(
      {number, result.name, fmt::format("{}", result.group_size), bytes_text(result.bytes),
       std::string(run::name(result.type)), result.reduction, fmt::format("{:.3f}", microseconds(result.time)),
       fmt::format("{:.2f}", result.algbw_GBps), fmt::format("{:.2f}", result.busbw_GBps),
       result.wrong ? fmt::format("{}", *result.wrong) : "N/A", fmt::format("{}", result.cycles),
       fmt::format("{}", result.events), fmt::format("{:.3f}", result.wall_s), algorithm_text(result)});
}

}  // namespace

std::string step_line(std::size_t number, const run::StepResult& result) {
  std::string line = result_row(fmt::format("{}", number), result);
  if (result.outcome != run::Outcome::kCompleted) {
    line.pop_back();
    line += fmt::format("  {}\n", run::name(result.outcome));
  }
  for (const run::StepResult& beside : result.beside) line += result_row("+", beside);
  return line;
}

std::string link_summary(const RunRecord& run) {
  if (run.steps.empty() || run.steps.front().links.empty()) return {};
  std::vector<Column> columns{{"step", 4}, {"what", 19, true}};
  for (const DirectionUse& direction : by_direction(run.steps.front().links)) {
    columns.push_back({direction_text(direction.port, run.pod.torus), 9});
  }
  columns.push_back({"busiest link", 0, true});
  const TextTable table(columns);
  std::string text =
      "\nLink use: share of the step's time that links were busy, mean/max in %, by axis and direction\n";
  text += table.header();
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const StepRecord& step = run.steps[i];
    std::vector<std::string> cells{fmt::format("{}", i + 1), step.result.name};
    for (const DirectionUse& direction : by_direction(step.links)) {
      cells.push_back(fmt::format("{}/{}", percent(direction.mean), percent(direction.max)));
    }
    const LinkUse& most = *busiest(step.links);
    cells.push_back(most.statistics.packets == 0
                        ? "none used"
                        : fmt::format("{}, {} %", link_text(most, run.pod.torus), percent(most.busy_fraction)));
    text += table.row(cells);
  }
  return text;
}

namespace {

std::string cost_of_dead_links(Picoseconds time, Picoseconds alive) {
  if (time <= 0 || alive <= 0) return {};
  const double more = 100 * (static_cast<double>(time) / static_cast<double>(alive) - 1);
  return fmt::format("    with all links alive {} instead of {}: dead links cost {:+.1f} %\n", time_text(alive),
                     time_text(time), more);
}

}  // namespace

std::string detour_summary(const RunRecord& run) {
  if (run.pod.dead_links.empty() || run.steps.empty()) return {};
  std::string text = "\nDetours round dead links\n";
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    std::uint64_t packets = 0, detours = 0, links = 0;
    for (const ChipStatistics& chip : run.steps[i].chips) {
      packets += chip.router.injected;
      detours += chip.router.detours;
      links += chip.router.detour_links;
    }
    text += fmt::format(
        "  step {}, {}: {} of {} took one{}\n", i + 1, run.steps[i].result.name, detours, count_text(packets, "packet"),
        detours == 0
            ? ""
            : fmt::format(", of {:.1f} links on average", static_cast<double>(links) / static_cast<double>(detours)));
    if (i < run.with_links_alive.size()) text += cost_of_dead_links(run.steps[i].result.time, run.with_links_alive[i]);
  }
  return text;
}

std::string run_footer(const RunRecord& run, std::size_t planned) {
  Picoseconds time = 0;
  std::uint64_t events = 0;
  double wall = 0;
  for (const StepRecord& step : run.steps) {
    time += step.result.time;
    events += step.result.events;
    wall += step.result.wall_s;
  }
  if (run.outcome == run::Outcome::kCompleted) {
    return fmt::format("\ncompleted: {}, {} simulated, {} events in {:.2f} s\n", count_text(planned, "step"),
                       time_text(time), events, wall);
  }
  return fmt::format("\nstopped at step {} of {}, {}: {}\n\n{}{}", run.steps.size(), planned,
                     run.steps.back().result.name, run::name(run.outcome), run.explanation,
                     run.explanation.ends_with('\n') ? "" : "\n");
}

}  // namespace podsim::report
