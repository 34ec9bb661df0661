#include "platform/study/plot_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "platform/report/number_text.h"

namespace podsim::study {

namespace {

std::string cell_text(const Json& cell) {
  return cell.is_null() ? "" : cell.is_string() ? cell.get<std::string>() : cell.dump();
}

// A number of a completed row that the axis can show.
std::optional<double> number(const ResultTable& table, std::size_t row, const std::string& column, bool log) {
  if (!table.completed(row)) return std::nullopt;
  const std::optional<Value> value = cell_value(table.cell(row, column));
  if (!value || value->text || (log && value->number <= 0)) return std::nullopt;
  return value->number;
}

Axis axis_of(const ResultTable& table, const PlotEntry& plot, const std::string& column, const char* name) {
  Axis axis{column, std::find(plot.log.begin(), plot.log.end(), name) != plot.log.end(), kPlain};
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::optional<Value> value = cell_value(table.cell(row, column));
    if (value && !value->text) axis.dimension = value->dimension;
  }
  return axis;
}

double scaled(double value, const Axis& axis) { return axis.log ? std::log(value) : value; }

std::vector<XY> scaled(const std::vector<XY>& points, const Axis& x, const Axis& y) {
  std::vector<XY> result;
  for (const XY& point : points) result.push_back({scaled(point.x, x), scaled(point.y, y)});
  return result;
}

struct Mean {
  double sum = 0;
  double count = 0;
  void add(double value) {
    sum += value;
    count += 1;
  }
  [[nodiscard]] double value() const { return sum / count; }
};

std::size_t position(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

// What a point of a Pareto plot is called: its series, or the parameters of its row.
std::string label_of(const ResultTable& table, std::size_t row, const PlotEntry& plot) {
  if (!plot.series.empty()) return cell_text(table.cell(row, plot.series));
  std::string text;
  for (std::size_t i = 1; i < table.index("chips"); ++i) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", table.columns[i], cell_text(table.rows[row][i]));
  }
  return text;
}

}  // namespace

std::string Axis::text(double value) const {
  if (dimension == kSize) return report::bytes_text(static_cast<Bytes>(std::llround(value)));
  if (dimension == kTime) return report::decimal_text(value, "s");
  if (dimension == kBandwidth) return report::bandwidth_text(value);
  if (dimension == kFrequency) return report::decimal_text(value, "Hz");
  return fmt::format("{:.4g}", value);
}

Lines lines_of(const ResultTable& table, const PlotEntry& plot) {
  Lines lines{axis_of(table, plot, plot.x, "x"), axis_of(table, plot, plot.y, "y"), {}};
  std::vector<std::string> names;
  std::vector<std::map<double, Mean>> means;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto x = number(table, row, plot.x, lines.x.log), y = number(table, row, plot.y, lines.y.log);
    if (!x || !y) continue;
    const std::size_t i = position(names, plot.series.empty() ? "" : cell_text(table.cell(row, plot.series)));
    means.resize(names.size());
    means[i][*x].add(*y);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    Curve curve{names[i], {}, {}};
    for (const auto& [x, mean] : means[i]) curve.points.push_back({x, mean.value()});
    curve.knee = knee(scaled(curve.points, lines.x, lines.y));
    lines.curves.push_back(std::move(curve));
  }
  return lines;
}

HeatMap heat_map_of(const ResultTable& table, const PlotEntry& plot) {
  HeatMap map{plot.x, plot.y, plot.value, {}, {}, {}};
  std::map<std::pair<std::size_t, std::size_t>, Mean> means;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    // A cell that failed stays in the grid, empty.
    const std::size_t across = position(map.across, cell_text(table.cell(row, plot.x)));
    const std::size_t down = position(map.down, cell_text(table.cell(row, plot.y)));
    if (const auto value = number(table, row, plot.value, false)) means[{down, across}].add(*value);
  }
  map.cells.assign(map.down.size(), std::vector<std::optional<double>>(map.across.size()));
  for (const auto& [cell, mean] : means) map.cells[cell.first][cell.second] = mean.value();
  return map;
}

Pareto pareto_of(const ResultTable& table, const PlotEntry& plot) {
  Pareto pareto{axis_of(table, plot, plot.x, "x"), axis_of(table, plot, plot.y, "y"), {}, {}, {}, {}};
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto x = number(table, row, plot.x, pareto.x.log), y = number(table, row, plot.y, pareto.y.log);
    if (!x || !y) continue;
    pareto.points.push_back({*x, *y});
    pareto.labels.push_back(label_of(table, row, plot));
  }
  pareto.front = pareto_front(pareto.points, plot.better_x, plot.better_y);
  std::vector<XY> front;
  for (const std::size_t i : pareto.front) front.push_back(pareto.points[i]);
  if (const auto at = knee(scaled(front, pareto.x, pareto.y))) pareto.knee = pareto.front[*at];
  return pareto;
}

std::string title_of(const PlotEntry& plot) {
  if (!plot.title.empty()) return plot.title;
  if (plot.kind == PlotKind::kHeatMap) return fmt::format("{} by {} and {}", plot.value, plot.x, plot.y);
  return fmt::format("{} against {}", plot.y, plot.x);
}

std::string findings(const ResultTable& table, const PlotEntry& plot) {
  std::string text;
  if (plot.kind == PlotKind::kLines) {
    const Lines lines = lines_of(table, plot);
    for (const Curve& curve : lines.curves) {
      const std::string name = curve.name.empty() ? plot.y : fmt::format("{}, {}", plot.y, curve.name);
      if (!curve.knee) {
        text += fmt::format("  {}: no knee\n", name);
        continue;
      }
      const XY& at = curve.points[*curve.knee];
      text +=
          fmt::format("  {}: knee at {} {}, where it is {}\n", name, plot.x, lines.x.text(at.x), lines.y.text(at.y));
    }
  } else if (plot.kind == PlotKind::kPareto) {
    const Pareto pareto = pareto_of(table, plot);
    for (const std::size_t i : pareto.front) {
      text += fmt::format("  {} {}, {} {}: {}{}\n", plot.x, pareto.x.text(pareto.points[i].x), plot.y,
                          pareto.y.text(pareto.points[i].y), pareto.labels[i], pareto.knee == i ? "  <- knee" : "");
    }
    if (pareto.front.empty()) text += "  no points\n";
  }
  return text;
}

}  // namespace podsim::study
