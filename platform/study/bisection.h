// The first of a row of candidates that meets a target, where every later one does as well, with few trials.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace podsim::study {

class Bisection {
 public:
  explicit Bisection(std::size_t candidates) : high_(candidates) {}

  // Up to `at_once` candidates to try next, which cut what is left into equal parts; none when it is decided.
  [[nodiscard]] std::vector<std::size_t> next(std::size_t at_once) const;
  void tell(std::size_t candidate, bool meets);
  // Once next() has none: the first that meets the target, if any does.
  [[nodiscard]] std::optional<std::size_t> first() const { return met_ ? std::optional(high_) : std::nullopt; }

 private:
  std::size_t low_ = 0;  // all below fail
  std::size_t high_;     // this one and all above meet it
  bool met_ = false;     // whether high_ is a candidate that was tried
};

}  // namespace podsim::study
