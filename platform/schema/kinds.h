// The kinds of YAML file that podsim reads, each with a JSON Schema made of the fields that its reader goes by.
#pragma once

#include <span>
#include <string_view>

#include <nlohmann/json.hpp>

namespace podsim::schema {

struct Kind {
  std::string_view name;   // "run"
  std::string_view title;  // "A run"
  std::string_view files;  // where podsim's own are: "configs/runs/*.yaml"
  std::string_view about;  // what such a file is for
  nlohmann::ordered_json (*schema)();
};

[[nodiscard]] std::span<const Kind> kinds();
// Null if there is none of that name.
[[nodiscard]] const Kind* find_kind(std::string_view name);

// The whole schema: what the fields say, with a head.
[[nodiscard]] nlohmann::ordered_json schema_of(const Kind& kind);

}  // namespace podsim::schema
