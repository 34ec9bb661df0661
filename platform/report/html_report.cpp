#include "platform/report/html_report.h"

#include <algorithm>
#include <stdexcept>

// The assembler puts the file into the program as it is. PODSIM_REPORT_PAGE is its path.
asm(R"(
  .pushsection .rodata
  .global podsim_report_page
  .global podsim_report_page_end
podsim_report_page:
  .incbin ")" PODSIM_REPORT_PAGE R"("
podsim_report_page_end:
  .byte 0
  .popsection
)");

extern "C" const char podsim_report_page[];
extern "C" const char podsim_report_page_end[];

namespace podsim::report {

namespace {

constexpr std::string_view kPlaceOfData = "@PODSIM_DATA@";

}  // namespace

std::string_view html_report_page() {
  return {podsim_report_page, static_cast<std::size_t>(podsim_report_page_end - podsim_report_page)};
}

void write_html_report(std::ostream& out, const std::string& json) {
  if (json.empty()) throw std::invalid_argument("a report without data");
  const std::string_view page = html_report_page();
  const std::size_t place = page.find(kPlaceOfData);
  if (place == std::string_view::npos) throw std::logic_error("the report's page has no place for data");
  out << page.substr(0, place);
  const std::string_view data = json;
  for (std::size_t from = 0; from < data.size();) {
    const std::size_t to = std::min(data.find('<', from), data.size());
    out << data.substr(from, to - from);
    if (to < data.size()) out << "\\u003c";
    from = to + 1;
  }
  out << page.substr(place + kPlaceOfData.size());
}

}  // namespace podsim::report
