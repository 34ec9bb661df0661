// What a check of a lab came to, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/lab/checker.h"
#include "platform/lab/compiler.h"

namespace podsim::lab {

[[nodiscard]] std::string ring_header();
[[nodiscard]] std::string ring_line(const RingRecord& record);
// Times, the failure's explanation, the grade.
[[nodiscard]] std::string footer(const Lab& lab, const LabReport& report);

[[nodiscard]] nlohmann::ordered_json to_json(const Lab& lab, const std::string& file, const LabReport& report);

}  // namespace podsim::lab
