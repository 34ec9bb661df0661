#include "platform/study/sweep_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/report/text_table.h"
#include "platform/study/plot_data.h"

namespace podsim::study {

namespace {

constexpr std::size_t kMostRows = 60;
constexpr std::size_t kMostFailures = 10;

std::string cell_text(const Json& cell) {
  if (cell.is_null()) return "-";
  if (cell.is_number_float()) return fmt::format("{:.6g}", cell.get<double>());
  return cell.is_string() ? cell.get<std::string>() : cell.dump();
}

}  // namespace

std::string table_text(const ResultTable& table) {
  const std::size_t shown = table.index("exit_code");
  const std::size_t rows = std::min(table.rows.size(), kMostRows);
  std::vector<report::Column> columns;
  for (std::size_t i = 0; i < shown; ++i) {
    std::size_t width = table.columns[i].size();
    bool left = false;
    for (std::size_t row = 0; row < rows; ++row) {
      width = std::max(width, cell_text(table.rows[row][i]).size());
      left = left || table.rows[row][i].is_string();
    }
    columns.push_back({table.columns[i], width, left});
  }
  const report::TextTable layout(std::move(columns));
  std::string text = layout.header();
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < shown; ++i) cells.push_back(cell_text(table.rows[row][i]));
    text += layout.row(cells);
  }
  if (rows < table.rows.size()) text += fmt::format("  ... and {} more\n", table.rows.size() - rows);
  return text;
}

std::string findings_text(const Study& study, const ResultTable& table) {
  std::string text;
  for (const PlotEntry& plot : study.plots) {
    const std::string found = findings(table, plot);
    if (found.empty()) continue;
    const char* const what = plot.kind == PlotKind::kPareto ? "Pareto front" : "Knees";
    text += fmt::format("\n{}: {}\n{}", what, title_of(plot), found);
  }
  return text;
}

std::string failures_text(const ResultTable& table) {
  struct Failure {
    std::string what;
    std::vector<std::string> points;
  };
  std::vector<Failure> failures;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.completed(row)) continue;
    const std::string outcome = table.cell(row, "outcome"), diagnosis = table.cell(row, "diagnosis");
    const std::string what = diagnosis.starts_with(outcome) ? diagnosis : fmt::format("{}: {}", outcome, diagnosis);
    auto same = std::find_if(failures.begin(), failures.end(), [&](const Failure& f) { return f.what == what; });
    if (same == failures.end()) same = failures.insert(failures.end(), {what, {}});
    same->points.push_back(table.cell(row, "point").dump());
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(failures.size(), kMostFailures); ++i) {
    std::vector<std::string>& points = failures[i].points;
    const std::size_t more = points.size() > kMostFailures ? points.size() - kMostFailures : 0;
    points.resize(points.size() - more);
    text += fmt::format("  point {}{}: {}\n", fmt::join(points, ", "),
                        more > 0 ? fmt::format(" and {} more", more) : "", failures[i].what);
  }
  if (failures.size() > kMostFailures)
    text += fmt::format("  ... and {} other failures\n", failures.size() - kMostFailures);
  return text.empty() ? text : "\nDid not complete:\n" + text;
}

std::vector<std::string> empty_columns(const Study& study, const ResultTable& table) {
  std::vector<std::string> empty;
  for (const CollectEntry& each : study.collect) {
    bool completed = false, found = false;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      completed = completed || table.completed(row);
      found = found || !table.cell(row, each.name).is_null();
    }
    if (completed && !found) empty.push_back(each.name);
  }
  return empty;
}

}  // namespace podsim::study
