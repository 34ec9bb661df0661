// "Did you mean ...?" for a misspelt key, name or unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace podsim::config {

// Edits (insert, delete, replace a character, swap two neighbours) that turn `a` into `b`: the optimal string alignment
// distance.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `word`, when it is near enough to be a slip of the fingers: at most a third of the longer
// word's letters differ (at least one may). Ties go to the first candidate. Case is ignored, and "-" equals "_".
// Failing that, the only candidate of which the word is nearly a part: "bandwith" of "bandwidth_per_direction".
[[nodiscard]] std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'x'?" when something is near, else "; known: a, b, c", else (no candidates) nothing.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace podsim::config
