// What a validation found, as text, Markdown and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/validate/reference.h"

namespace podsim::validate {

// Tables of hundreds of rows are summed up, and only rows outside their tolerance shown, unless `all_rows`.
[[nodiscard]] std::string text_report(const std::vector<Table>& tables, bool all_rows);
// The page docs/validation.md.
[[nodiscard]] std::string markdown_report(const std::vector<Table>& tables);
// Every row.
[[nodiscard]] nlohmann::ordered_json json_report(const std::vector<Table>& tables);

// Every row has a figure, and those outside their tolerance are explained.
[[nodiscard]] bool holds(const std::vector<Table>& tables);

}  // namespace podsim::validate
