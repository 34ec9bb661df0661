#include "platform/report/bench_table.h"

#include <fmt/format.h>

#include <sstream>

#include "platform/report/number_text.h"
#include "platform/report/text_table.h"

namespace podsim::report {

namespace {

constexpr int kSize = 12, kCount = 12, kType = 5, kReduction = 6, kTime = 12, kBandwidth = 8, kWrong = 7, kCycles = 11,
              kEvents = 10, kWall = 8, kAlgorithm = 10;

// The first cell of a header line gives up one column to the '#'.
TextTable table(const std::vector<std::string>& titles, bool header) {
  const std::vector<std::size_t> widths{kSize - (header ? 1u : 0u),
                                        kCount,
                                        kType,
                                        kReduction,
                                        kTime,
                                        kBandwidth,
                                        kBandwidth,
                                        kWrong,
                                        kCycles,
                                        kEvents,
                                        kWall};
  std::vector<Column> columns;
  for (std::size_t i = 0; i < widths.size(); ++i) columns.push_back({titles.empty() ? "" : titles[i], widths[i]});
  // Ours, behind nccl-tests' own.
  columns.push_back({titles.empty() ? "" : titles.back(), kAlgorithm, true});
  return TextTable(std::move(columns), header ? "#" : "");
}

}  // namespace

std::string bench_header(const RunRecord& run, const std::string& call) {
  std::string text = fmt::format("# {}\n# pod: {}\n", call, pod_line(run.pod));
  if (const std::string extent = extent_text(run.pod); !extent.empty()) text += fmt::format("# model: {}\n", extent);
  text += fmt::format("# data: {}{}\n#\n", run.with_data ? "real" : "none",
                      run.data_reason.empty() ? "" : fmt::format(" ({})", run.data_reason));
  text += table({"size", "count", "type", "redop", "time", "algbw", "busbw", "#wrong", "cycles", "events", "wall",
                 "algorithm"},
                true)
              .header();
  text += table({"(B)", "(elements)", "", "", "(us)", "(GB/s)", "(GB/s)", "", "", "", "(s)", ""}, true).header();
  return text;
}

std::string bench_row(const run::StepResult& result) {
  std::string line = table({}, false).row(
      {fmt::format("{}", result.bytes), fmt::format("{}", result.count), std::string(run::name(result.type)),
       result.reduction, fmt::format("{:.3f}", microseconds(result.time)), fmt::format("{:.2f}", result.algbw_GBps),
       fmt::format("{:.2f}", result.busbw_GBps), result.wrong ? fmt::format("{}", *result.wrong) : "N/A",
       fmt::format("{}", result.cycles), fmt::format("{}", result.events), fmt::format("{:.3f}", result.wall_s),
       result.algorithm});
  if (result.outcome != run::Outcome::kCompleted) {
    line.pop_back();
    line += fmt::format("  {}\n", run::name(result.outcome));
  }
  return line;
}

std::string bench_footer(const RunRecord& run) {
  std::uint64_t wrong = 0;
  std::size_t timed = 0;
  double bus = 0;
  for (const StepRecord& step : run.steps) {
    wrong += step.result.wrong.value_or(0);
    bus += step.result.busbw_GBps;
    if (step.result.outcome == run::Outcome::kCompleted) ++timed;
  }
  const bool unchecked = run.outcome != run::Outcome::kCompleted && run.outcome != run::Outcome::kWrongData;
  std::string checked = fmt::format("{} {}", wrong, wrong == 0 ? "OK" : "FAILED");
  if (!run.with_data) checked = "N/A (data: none)";
  if (unchecked) checked = fmt::format("N/A ({})", run::name(run.outcome));
  std::string text = fmt::format("# Out of bounds values : {}\n# Avg bus bandwidth    : {:.4g}\n#\n", checked,
                                 timed == 0 ? 0 : bus / static_cast<double>(timed));
  std::istringstream explanation(run.explanation);
  for (std::string line; std::getline(explanation, line);) text += fmt::format("# {}\n", line);
  return text;
}

}  // namespace podsim::report
