// What a plot shows, taken out of a table of results: curves, grids, fronts, and where they bend.
#pragma once

#include <string>
#include <vector>

#include "platform/study/knee.h"
#include "platform/study/result_table.h"

namespace podsim::study {

struct Axis {
  std::string title;  // the column
  bool log = false;
  Dimension dimension;

  // "4 MiB", "12.5", "1.5 ms": as the column's values are written.
  [[nodiscard]] std::string text(double value) const;
};

struct Curve {
  std::string name;        // value of the series column; empty without one
  std::vector<XY> points;  // by x; where x comes several times (seeds), the mean of y
  std::optional<std::size_t> knee;
};

struct Lines {
  Axis x, y;
  std::vector<Curve> curves;  // in the order of the study
};

struct HeatMap {
  std::string x, y, value;                                // columns
  std::vector<std::string> across, down;                  // their values, in the order of the study
  std::vector<std::vector<std::optional<double>>> cells;  // [down][across]; the mean where there are several
};

struct Pareto {
  Axis x, y;
  std::vector<XY> points;
  std::vector<std::string> labels;  // by point
  std::vector<std::size_t> front;   // positions in points, by x
  std::optional<std::size_t> knee;  // position in points
};

// Rows that did not complete, or have no number on one of the axes, are left out; on a logarithmic axis also those that
// are not above zero.
[[nodiscard]] Lines lines_of(const ResultTable& table, const PlotEntry& plot);
[[nodiscard]] HeatMap heat_map_of(const ResultTable& table, const PlotEntry& plot);
[[nodiscard]] Pareto pareto_of(const ResultTable& table, const PlotEntry& plot);

// The title that a plot has, or gets.
[[nodiscard]] std::string title_of(const PlotEntry& plot);

// Knees and fronts in words, a line each; empty for a heat map.
[[nodiscard]] std::string findings(const ResultTable& table, const PlotEntry& plot);

}  // namespace podsim::study
