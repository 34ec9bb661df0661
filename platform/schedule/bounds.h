// How long a program must still take at least, by its longest chains of dependencies.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "platform/schedule/problem.h"

namespace podsim::schedule {

class Bounds {
 public:
  explicit Bounds(const Problem& problem) : tail_(problem.nodes.size()), head_(problem.nodes.size()) {
    const auto users = users_of(problem);
    // Needs need not come before their users in the list, so in an order of their own.
    for (const std::size_t i : ends_first(problem, users)) {
      for (const std::size_t user : users[i]) tail_[i] = std::max(tail_[i], head_[user]);
      const Node& node = problem.nodes[i];
      head_[i] = tail_[i] + node.duration + (node.transfer ? problem.start_cost + problem.done_cost : 0);
    }
    by_tail_.resize(problem.nodes.size());
    std::iota(by_tail_.begin(), by_tail_.end(), std::size_t{0});
    std::stable_sort(by_tail_.begin(), by_tail_.end(),
                     [&](std::size_t a, std::size_t b) { return head_[a] > head_[b]; });
  }

  // From a node's end to the program's.
  [[nodiscard]] Picoseconds tail(std::size_t node) const { return tail_[node]; }
  // Nodes, the one with the longest way from its beginning to the program's end first.
  [[nodiscard]] std::size_t by_tail(std::size_t place) const { return by_tail_[place]; }

  // The longest way of a node that has not begun, other than `except`; all before `place` have begun.
  template <class Progress>
  [[nodiscard]] Picoseconds longest_waiting(std::size_t place, std::size_t except,
                                            const std::vector<Progress>& progress) const {
    for (; place < by_tail_.size(); ++place) {
      const std::size_t node = by_tail_[place];
      if (node != except && progress[node] == Progress{}) return head_[node];
    }
    return 0;
  }

 private:
  static std::vector<std::size_t> ends_first(const Problem& problem,
                                             const std::vector<std::vector<std::size_t>>& users) {
    std::vector<std::size_t> left, order;
    for (const auto& each : users) left.push_back(each.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i] == 0) order.push_back(i);
    }
    for (std::size_t at = 0; at < order.size(); ++at) {
      for (const std::size_t need : problem.nodes[order[at]].needs) {
        if (--left[need] == 0) order.push_back(need);
      }
    }
    if (order.size() != problem.nodes.size()) throw BadOrder("the instructions need each other in a circle");
    return order;
  }

  std::vector<Picoseconds> tail_, head_;
  std::vector<std::size_t> by_tail_;
};

}  // namespace podsim::schedule
