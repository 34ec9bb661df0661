// Finding the smallest pod on which a program meets a target, by running it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/study/bisection.h"
#include "platform/study/expression.h"
#include "platform/study/pod_shapes.h"
#include "platform/study/point_result.h"

namespace podsim::study {

// What a target may speak of, and where a run's JSON has it.
struct Figure {
  std::string name;     // "step"
  CollectEntry source;  // of a plain number
  double unit;          // in base units: picoseconds are 1e-12 s
  Dimension dimension;
  const char* meaning;
};
[[nodiscard]] const std::vector<Figure>& figures();
// All figures' sources, and those that bound_of() needs.
[[nodiscard]] std::vector<CollectEntry> sizing_collect();

// Nothing for a figure that the run does not have: 'mxu' of a collective.
[[nodiscard]] std::optional<Value> figure(const std::string& name, const PointResult& result, std::uint64_t chips);

// A target such as 'step < 2 s'. Throws ExpressionError for a name that is no figure, with a suggestion, for what is no
// comparison, and for units that don't go together.
[[nodiscard]] Expression parse_target(const std::string& text);
// Whether the run completed and meets the target. Throws ExpressionError when it has no such figure.
[[nodiscard]] bool meets(const Expression& target, const PointResult& result, std::uint64_t chips);

// What the run's last step is nearest to being bound by: "MXU", "HBM", "ICI", ...; empty if nothing tells.
[[nodiscard]] std::string bound_of(const PointResult& result);

// One generation's shapes, searched.
struct Search {
  std::string chip;
  std::vector<PodShape> shapes;
  std::vector<std::optional<PointResult>> results;  // of those that were run
  std::vector<bool> meets;
  std::optional<std::size_t> smallest;
  // A larger pod failed where a smaller one met the target: what lies between was not all tried.
  bool uneven = false;
};

// Runs the program on some shapes of some searches, given as (search, shape), and returns the results in their order.
using RunShapes =
    std::function<std::vector<PointResult>(const std::vector<std::pair<std::size_t, std::size_t>>& trials)>;

// Bisects all generations side by side, with about `at_once` runs a round.
void search(std::vector<Search>& searches, const Expression& target, std::size_t at_once, const RunShapes& run);

}  // namespace podsim::study
