// A study's results as one page of HTML that needs nothing else: its plots as SVG, the knees, the table.
#pragma once

#include <string>

#include "platform/study/result_table.h"

namespace podsim::study {

[[nodiscard]] std::string html_report(const Study& study, const ResultTable& table, const std::string& name);

}  // namespace podsim::study
