// The points of a study: every combination of its parameters that the constraints leave.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/study/point_command.h"
#include "platform/study/study_file.h"

namespace podsim::study {

struct Point {
  std::size_t number = 0;           // from 1, in the order of the study
  std::vector<Setting> parameters;  // by column, as the study writes the values
  std::optional<std::uint64_t> chips;
  PointCommand command;

  // A parameter, or 'chips'.
  [[nodiscard]] std::optional<Value> find(const std::string& name) const;
};

inline constexpr std::size_t kMostPoints = 100'000;

// Chips of the pod that a command simulates; nothing if there is no such pod, which the point's run will say.
using ChipsOf = std::function<std::optional<std::uint64_t>(const PointCommand&)>;

// Throws ConfigError for an expression that has no value at some point, and for more than kMostPoints points.
[[nodiscard]] std::vector<Point> points_of(const Study& study, const ChipsOf& chips_of);

}  // namespace podsim::study
