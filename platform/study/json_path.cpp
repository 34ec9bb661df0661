#include "platform/study/json_path.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <vector>

namespace podsim::study {

namespace {

// All that `path`, from `at` on, leads to from `node`.
void find(const Json& node, const std::string& path, std::size_t at, std::vector<const Json*>& found) {
  if (at > path.size()) {
    found.push_back(&node);
    return;
  }
  const std::size_t dot = std::min(path.find('.', at), path.size());
  const std::string step = path.substr(at, dot - at);
  if (step == "*") {
    for (const Json& each : node) find(each, path, dot + 1, found);
  } else if (node.is_object()) {
    const auto entry = node.find(step);
    if (entry != node.end()) find(*entry, path, dot + 1, found);
  } else if (node.is_array()) {
    long position = 0;
    const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), position);
    if (error != std::errc{} || end != step.data() + step.size()) return;
    const long size = static_cast<long>(node.size());
    if (position < 0) position += size;
    if (position >= 0 && position < size) find(node[static_cast<std::size_t>(position)], path, dot + 1, found);
  }
}

}  // namespace

Json take(const Json& document, const std::string& path, Take how) {
  std::vector<const Json*> found;
  find(document, path, 0, found);
  if (found.empty()) return {};
  if (how == Take::kOnly) return found.front()->is_structured() ? Json() : *found.front();
  std::vector<double> numbers;
  for (const Json* each : found) {
    if (!each->is_number()) return {};
    numbers.push_back(each->get<double>());
  }
  const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
  switch (how) {
    case Take::kMin: return *std::min_element(numbers.begin(), numbers.end());
    case Take::kMax: return *std::max_element(numbers.begin(), numbers.end());
    case Take::kMean: return sum / static_cast<double>(numbers.size());
    default: return sum;
  }
}

}  // namespace podsim::study
