// A sweep's results for people: the table, what the plots find, what failed.
#pragma once

#include <string>
#include <vector>

#include "platform/study/result_table.h"

namespace podsim::study {

// All columns but diagnosis and command; the first rows of a long table.
[[nodiscard]] std::string table_text(const ResultTable& table);
// Knees and Pareto fronts of the plots.
[[nodiscard]] std::string findings_text(const Study& study, const ResultTable& table);
// The points that did not complete, those with the same diagnosis together; empty if all completed.
[[nodiscard]] std::string failures_text(const ResultTable& table);
// Of the columns to collect, those that no completed point has.
[[nodiscard]] std::vector<std::string> empty_columns(const Study& study, const ResultTable& table);

}  // namespace podsim::study
