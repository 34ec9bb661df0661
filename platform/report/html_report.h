// The HTML report: one file that draws a run in any browser, without network. The page with its script is built in
// report/ (docs/report.md) and embedded in the program; the data goes inside it.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace podsim::report {

// The page as built, without data.
[[nodiscard]] std::string_view html_report_page();

// `json`: a document of format "podsim-report 1" (docs/results.md), as UTF-8. It is not looked into, but for `<`, which
// is written as \u003c: no text of a run can end the element that holds it. Throws std::invalid_argument if it is
// empty.
void write_html_report(std::ostream& out, const std::string& json);

}  // namespace podsim::report
