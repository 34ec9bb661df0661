#include "platform/study/html_report.h"

#include <fmt/format.h>

#include "platform/study/svg.h"
#include "platform/study/sweep_text.h"
#include "platform/version.h"

namespace podsim::study {

namespace {

constexpr const char* kStyle =
    "body { font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 1100px; margin: 2em auto; padding: 0 1em }\n"
    "h1 { font-size: 1.5em } h2 { font-size: 1.15em; margin-top: 2em }\n"
    "svg { width: 100%; height: auto; font-size: 12px } svg text { fill: #222 } svg text[fill='#fff'] { fill: #fff }\n"
    "svg .title { font-weight: 600 } .grid { stroke: #e4e4e4 } .frame { fill: none; stroke: #888 }\n"
    "pre { background: #f6f6f6; padding: .8em; overflow-x: auto }\n"
    ".scroll { overflow-x: auto } table { border-collapse: collapse; font-size: 13px }\n"
    "th, td { border-bottom: 1px solid #ddd; padding: .25em .7em; text-align: right; white-space: nowrap }\n"
    "th { background: #f6f6f6 } td.text { text-align: left } tr.failed td { color: #a00 }\n";

std::string plot_svg(const ResultTable& table, const PlotEntry& plot) {
  switch (plot.kind) {
    case PlotKind::kLines: return lines_svg(lines_of(table, plot));
    case PlotKind::kHeatMap: return heat_map_svg(heat_map_of(table, plot));
    case PlotKind::kPareto: return pareto_svg(pareto_of(table, plot));
  }
  return {};
}

std::string cell_html(const Json& cell) {
  if (cell.is_null()) return "<td></td>";
  if (!cell.is_string()) {
    return fmt::format("<td>{}</td>", cell.is_number_float() ? fmt::format("{:.6g}", cell.get<double>()) : cell.dump());
  }
  const std::string text = cell.get<std::string>();
  return fmt::format("<td class=\"text\">{}</td>", escaped(text));
}

std::string table_html(const ResultTable& table) {
  std::string html = "<div class=\"scroll\"><table>\n<tr>";
  for (const std::string& column : table.columns) html += fmt::format("<th>{}</th>", escaped(column));
  html += "</tr>\n";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    html += table.completed(row) ? "<tr>" : "<tr class=\"failed\">";
    for (const Json& cell : table.rows[row]) html += cell_html(cell);
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

}  // namespace

std::string html_report(const Study& study, const ResultTable& table, const std::string& name) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta "
      "charset=\"utf-8\">\n<title>{0}</title>\n<style>\n{1}</style>\n"
      "</head>\n<body>\n<h1>{0}</h1>\n<p>{2}</p>\n",
      escaped(name), kStyle, escaped(study.description));
  for (const PlotEntry& plot : study.plots) {
    const std::string svg = plot_svg(table, plot);
    html += fmt::format("<h2>{}</h2>\n{}", escaped(title_of(plot)),
                        svg.empty() ? "<p>No point has these figures.</p>\n" : svg);
    const std::string found = findings(table, plot);
    if (!found.empty()) html += fmt::format("<pre>{}</pre>\n", escaped(found));
  }
  const std::string failed = failures_text(table);
  if (!failed.empty()) html += fmt::format("<h2>Failures</h2>\n<pre>{}</pre>\n", escaped(failed));
  html += fmt::format("<h2>Results</h2>\n{}<p>podsim {}</p>\n</body>\n</html>\n", table_html(table), version());
  return html;
}

}  // namespace podsim::study
