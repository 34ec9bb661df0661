// A value in a run's JSON by its path: "results.-1.time_us", "results.0.links.*.busy_fraction".
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/study/study_fields.h"

namespace podsim::study {

using Json = nlohmann::ordered_json;  // keys in the order of the code: the same bytes every time

// Keys and list positions between dots; positions below zero count from the end. '*' stands for every element, and the
// numbers found are taken together. Null when the path leads nowhere, and for '*' over anything but numbers.
[[nodiscard]] Json take(const Json& document, const std::string& path, Take how);

}  // namespace podsim::study
