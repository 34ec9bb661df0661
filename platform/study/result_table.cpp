#include "platform/study/result_table.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace podsim::study {

namespace {

Json number_json(double number) {
  if (!std::isfinite(number)) return {};
  constexpr double kLargestWhole = 9007199254740992.0;  // 2^53
  if (number == std::floor(number) && std::fabs(number) < kLargestWhole) return static_cast<std::int64_t>(number);
  return number;
}

// Plain numbers are numbers in the table as well; quantities keep their unit.
Json parameter_json(const std::string& text) {
  const Value value = parse_value(text);
  return value.text || value.dimension != kPlain ? Json(text) : number_json(value.number);
}

std::string csv_cell(const Json& cell) {
  if (cell.is_null()) return {};
  if (!cell.is_string()) return cell.dump();
  const std::string text = cell.get<std::string>();
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

Json derived(const Expression& expression, const ResultTable& table, const std::vector<Json>& row) {
  try {
    const Value value = expression.evaluate([&](const std::string& name) {
      const std::size_t column = table.index(name);
      return column < row.size() ? cell_value(row[column]) : std::nullopt;
    });
    return value.text ? Json(*value.text) : number_json(value.number);
  } catch (const ExpressionError&) {
    return {};
  }
}

}  // namespace

std::size_t ResultTable::index(const std::string& column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) throw std::out_of_range("no column " + column);
  return static_cast<std::size_t>(found - columns.begin());
}

std::string ResultTable::csv() const {
  std::string text;
  const auto add_line = [&](const auto& cells, const auto& text_of) {
    const char* separator = "";
    for (const auto& cell : cells) {
      text += separator + text_of(cell);
      separator = ",";
    }
    text += '\n';
  };
  add_line(columns, [](const std::string& name) { return csv_cell(name); });
  for (const std::vector<Json>& row : rows) add_line(row, csv_cell);
  return text;
}

std::string ResultTable::json_lines() const {
  std::string text;
  for (const std::vector<Json>& row : rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < columns.size(); ++i) object[columns[i]] = row[i];
    text += object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  }
  return text;
}

ResultTable result_table(const Study& study, const std::vector<Point>& points,
                         const std::vector<PointResult>& results) {
  ResultTable table;
  table.columns = study.columns();
  table.columns.insert(table.columns.begin(), "point");
  for (const char* own : {"outcome", "exit_code", "diagnosis", "command"}) table.columns.emplace_back(own);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    const PointResult& result = results[i];
    std::vector<Json> row{point.number};
    for (const Setting& parameter : point.parameters) row.push_back(parameter_json(parameter.value));
    row.push_back(point.chips ? Json(*point.chips) : Json());
    for (const CollectEntry& each : study.collect) row.push_back(result.collected.value(collected_as(each), Json()));
    for (const auto& [name, expression] : study.derive) row.push_back(derived(expression, table, row));
    row.insert(row.end(), {result.outcome, result.exit_code, result.diagnosis, point.command.text()});
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::optional<Value> cell_value(const Json& cell) {
  if (cell.is_null()) return std::nullopt;
  if (cell.is_number()) return Value::plain(cell.get<double>());
  if (cell.is_boolean()) return Value::of_text(cell.get<bool>() ? "true" : "false");
  if (!cell.is_string()) return std::nullopt;
  return parse_value(cell.get<std::string>());
}

}  // namespace podsim::study
