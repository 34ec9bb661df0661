// JSON laid out to be read: small objects on one line each, large ones a member a line. The same bytes every time.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>

namespace podsim::report {

// Without a newline at the end. `indent`: spaces in front of the line that the value starts in. Text that is not UTF-8
// is written with replacement characters.
void write_json(std::ostream& out, const nlohmann::ordered_json& value, int indent = 0);

}  // namespace podsim::report
