#include "platform/run/known_names.h"

#include "firmware/collectives/algorithm.h"
#include "firmware/programs/programs.h"
#include "firmware/workloads/workload.h"
#include "platform/run/outcome.h"

namespace podsim::run {

namespace {

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& each : list) names.emplace_back(each.name);
  return names;
}

}  // namespace

std::vector<std::string> program_names() { return names_of(firmware::programs()); }
std::vector<std::string> algorithm_names() { return names_of(firmware::algorithms()); }
std::vector<std::string> workload_names() { return names_of(firmware::workloads()); }
std::vector<std::string> model_names() { return names_of(firmware::model_shapes()); }

std::vector<std::string> outcome_names() {
  std::vector<std::string> names;
  for (const Outcome outcome : kOutcomes) names.emplace_back(name(outcome));
  return names;
}

}  // namespace podsim::run
