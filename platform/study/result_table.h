// The results of a study as a table: a row for each point, in the order of the study. It has nothing that differs
// between two sweeps of the same study, whoever ran the points, and how many at a time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/study/point.h"
#include "platform/study/point_result.h"

namespace podsim::study {

struct ResultTable {
  std::vector<std::string> columns;
  std::vector<std::vector<Json>> rows;  // a cell for each column; null where there is no value

  // Throws std::out_of_range for a column that there is not.
  [[nodiscard]] std::size_t index(const std::string& column) const;
  [[nodiscard]] const Json& cell(std::size_t row, const std::string& column) const { return rows[row][index(column)]; }
  [[nodiscard]] bool completed(std::size_t row) const { return cell(row, "outcome") == "completed"; }

  // RFC 4180, with a header.
  [[nodiscard]] std::string csv() const;
  // An object a line.
  [[nodiscard]] std::string json_lines() const;
};

// `results[i]` is that of `points[i]`. A derived column is empty where one that it needs is.
[[nodiscard]] ResultTable result_table(const Study& study, const std::vector<Point>& points,
                                       const std::vector<PointResult>& results);

// A cell as expressions and plots see it: a parameter's text with its unit is a number again. Nothing for null.
[[nodiscard]] std::optional<Value> cell_value(const Json& cell);

}  // namespace podsim::study
