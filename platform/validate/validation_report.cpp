#include "platform/validate/validation_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/report/number_text.h"
#include "platform/report/text_table.h"
#include "platform/version.h"

namespace podsim::validate {

namespace {

std::string figure_text(double value) { return fmt::format("{:.5g}", value); }

std::string error_text(double error, bool points) {
  return points ? fmt::format("{:+.2f}", error) : fmt::format("{:+.2f} %", error * 100);
}

std::string tolerance_text(const Tolerance& tolerance) {
  if (tolerance.points) return tolerance.value == 0 ? "exact" : fmt::format("{:g} points", tolerance.value);
  return fmt::format("{:g} %", tolerance.value * 100);
}

std::string verdict_text(const Row& row) {
  return std::string(name(row.verdict())) + (row.reference.fitted.empty() ? "" : ", fitted");
}

std::vector<std::string> cells(const Row& row) {
  const Reference& reference = row.reference;
  return {reference.id,
          std::string(name(reference.kind)),
          reference.what,
          figure_text(reference.expected),
          row.model ? figure_text(*row.model) : "-",
          reference.unit,
          row.model ? error_text(row.error(), reference.tolerance.points) : "-",
          tolerance_text(reference.tolerance),
          verdict_text(row)};
}

const std::vector<std::string> kTitles{"id",   "kind",  "what",      "expected", "model",
                                       "unit", "error", "tolerance", "verdict"};

// What stands under a row: why it is outside, what was fitted to it, why there is no figure.
std::vector<std::string> notes(const Row& row) {
  std::vector<std::string> notes;
  if (!row.failure.empty()) notes.push_back("no figure: " + row.failure);
  if (row.verdict() == Verdict::kExplained) notes.push_back(row.reference.explained);
  if (!row.reference.fitted.empty()) notes.push_back("fitted to this row: " + row.reference.fitted);
  return notes;
}

std::string summary_text(const Table& table) {
  const Summary summary = summarise(table);
  std::string text =
      fmt::format("{}: {} within their tolerance", report::count_text(summary.rows, "row"), summary.within);
  if (summary.explained > 0) text += fmt::format(", {} outside and explained", summary.explained);
  if (summary.outside > 0) text += fmt::format(", {} OUTSIDE", summary.outside);
  if (summary.failed > 0) text += fmt::format(", {} FAILED", summary.failed);
  if (summary.rows == summary.fitted) return text;
  const auto size = [&](double error) {
    return summary.points ? fmt::format("{:.2f}", error) : fmt::format("{:.2f} %", error * 100);
  };
  text += fmt::format("; error{}: median {}, largest {}", summary.fitted > 0 ? " of rows not fitted" : "",
                      size(summary.median), size(summary.worst));
  return text;
}

bool shown(const Row& row, const Table& table, bool all_rows) {
  const bool bad = row.verdict() == Verdict::kOutside || row.verdict() == Verdict::kFailed;
  return all_rows || !table.long_one || bad;
}

}  // namespace

std::string text_report(const std::vector<Table>& tables, bool all_rows) {
  std::string text;
  for (const Table& table : tables) {
    text += fmt::format("{}: {}\n", table.name, table.description);
    std::vector<const Row*> rows;
    for (const Row& row : table.rows) {
      if (shown(row, table, all_rows)) rows.push_back(&row);
    }
    std::vector<report::Column> columns;
    for (std::size_t i = 0; i < kTitles.size(); ++i) {
      std::size_t width = kTitles[i].size();
      for (const Row* row : rows) width = std::max(width, cells(*row)[i].size());
      columns.push_back({kTitles[i], width, i < 3 || i == 5 || i == 8});
    }
    const report::TextTable lines(std::move(columns));
    if (!rows.empty()) text += lines.header();
    for (const Row* row : rows) {
      text += lines.row(cells(*row));
      for (const std::string& note : notes(*row)) text += fmt::format("      {}\n", note);
    }
    text += fmt::format("  {}\n\n", summary_text(table));
  }
  return text;
}

namespace {

std::string escaped(const std::string& cell) {
  std::string text;
  for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
  return text;
}

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += fmt::format(" {} |", escaped(cell));
  return line + '\n';
}

}  // namespace

std::string markdown_report(const std::vector<Table>& tables) {
  std::string text =
      "# Validation\n\n"
      "What the model says beside what others measured, simulated, printed or worked out. This page is the output of\n"
      "`podsim validate --markdown docs/validation.md`; the figures and their sources are in `configs/validation/` "
      "and\n"
      "`tests/reference/`. An error is the model's figure over the expected one, less 1 (or their difference, where "
      "the\n"
      "tolerance is exact or in points of per cent). A row marked `fitted` had a constant of the model fitted to it, "
      "named\n"
      "under the table, and is no evidence for that constant: medians leave it out.\n";
  for (const Table& table : tables) {
    text += fmt::format("\n## {}\n\n{}.\n\n{}.\n", table.name, table.description, summary_text(table));
    const bool any =
        std::any_of(table.rows.begin(), table.rows.end(), [&](const Row& row) { return shown(row, table, false); });
    if (!any) continue;
    text += '\n' + markdown_line(kTitles) + "|---|---|---|---:|---:|---|---:|---|---|\n";
    std::string below;
    for (const Row& row : table.rows) {
      if (!shown(row, table, false)) continue;
      text += markdown_line(cells(row));
      for (const std::string& note : notes(row)) below += fmt::format("- {}: {}\n", row.reference.id, note);
    }
    if (!below.empty()) text += '\n' + below;
  }
  return text;
}

nlohmann::ordered_json json_report(const std::vector<Table>& tables) {
  using Json = nlohmann::ordered_json;
  Json all = Json::object();
  for (const Table& table : tables) {
    const Summary summary = summarise(table);
    Json rows = Json::array();
    for (const Row& row : table.rows) {
      const Reference& reference = row.reference;
      rows.push_back({{"id", reference.id},
                      {"what", reference.what},
                      {"kind", name(reference.kind)},
                      {"source", reference.source},
                      {"unit", reference.unit},
                      {"expected", reference.expected},
                      {"model", row.model ? Json(*row.model) : Json()},
                      {"error", row.model ? Json(row.error()) : Json()},
                      {"error_in_points", reference.tolerance.points},
                      {"tolerance", reference.tolerance.value},
                      {"verdict", row.verdict() == Verdict::kOutside  ? "outside"
                                  : row.verdict() == Verdict::kFailed ? "failed"
                                                                      : std::string(name(row.verdict()))},
                      {"fitted", reference.fitted},
                      {"explained", reference.explained},
                      {"failure", row.failure}});
    }
    all[table.name] = {{"description", table.description},
                       {"summary",
                        {{"rows", summary.rows},
                         {"within", summary.within},
                         {"explained", summary.explained},
                         {"outside", summary.outside},
                         {"failed", summary.failed},
                         {"fitted", summary.fitted},
                         {"median_error", summary.median},
                         {"worst_error", summary.worst}}},
                       {"rows", std::move(rows)}};
  }
  return {{"podsim", version()}, {"command", "validate"}, {"holds", holds(tables)}, {"tables", std::move(all)}};
}

bool holds(const std::vector<Table>& tables) {
  return std::all_of(tables.begin(), tables.end(), [](const Table& table) {
    const Summary summary = summarise(table);
    return summary.outside == 0 && summary.failed == 0;
  });
}

}  // namespace podsim::validate
