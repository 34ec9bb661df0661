#include "platform/report/json_layout.h"

#include <algorithm>
#include <string>

namespace podsim::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestLine = 120;  // of a list of plain values
// An element of a list goes on one line when it is nested no deeper than a chip's counters are: {dma_engines: [{...}]}.
constexpr int kDeepestLine = 3;

int height(const Json& value) {
  int most = -1;
  for (const Json& child : value) {
    if (value.is_structured()) most = std::max(most, height(child));
  }
  return most + 1;
}

std::string line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

void write_json(std::ostream& out, const Json& value, int indent) {
  if (height(value) <= 1 && !(value.is_object() && indent == 0)) {
    const std::string text = line(value);
    if (value.is_primitive() || value.empty() || text.size() <= kLongestLine) {
      out << text;
      return;
    }
  }
  const std::string inner(static_cast<std::size_t>(indent) + 2, ' ');
  out << (value.is_object() ? "{" : "[");
  const char* separator = "\n";
  for (const auto& [key, child] : value.items()) {
    out << separator << inner;
    separator = ",\n";
    if (value.is_object()) out << line(Json(key)) << ": ";
    if (value.is_array() && height(child) <= kDeepestLine) {
      out << line(child);
    } else {
      write_json(out, child, indent + 2);
    }
  }
  out << '\n' << std::string(static_cast<std::size_t>(indent), ' ') << (value.is_object() ? "}" : "]");
}

}  // namespace podsim::report
