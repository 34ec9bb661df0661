// What is different between two results of `podsim run --json` or `podsim bench --json`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace podsim::observe {

using ResultJson = nlohmann::ordered_json;

struct Comparison {
  // A step that both have, or only one of them: the first with the first, and so on.
  struct Step {
    std::string name;
    std::optional<std::int64_t> one, other;  // picoseconds
  };
  struct Part {
    std::string cause;
    std::int64_t one = 0, other = 0;  // picoseconds
  };
  std::vector<Step> steps;
  std::vector<Part> causes;               // of the critical paths; empty if one of them has none
  std::vector<Part> breakdown;            // of the slowest chips of the modules' steps; empty unless both have some
  std::vector<std::string> not_compared;  // why something is missing
};

// `one` and `other`: the files' names, for what is missing.
[[nodiscard]] Comparison compare(const ResultJson& a, const std::string& one, const ResultJson& b,
                                 const std::string& other);

[[nodiscard]] std::string comparison_text(const Comparison& comparison, const std::string& one,
                                          const std::string& other);
// {podsim, command, a, b, steps: [{name, a_ps, b_ps}], causes: [{cause, a_ps, b_ps}], breakdown: [...]}
[[nodiscard]] ResultJson comparison_json(const Comparison& comparison, const std::string& one,
                                         const std::string& other);

}  // namespace podsim::observe
