#include "platform/study/bisection.h"

#include <algorithm>

namespace podsim::study {

std::vector<std::size_t> Bisection::next(std::size_t at_once) const {
  const std::size_t left = high_ - low_;
  const std::size_t cuts = std::min(std::max<std::size_t>(at_once, 1), left);
  std::vector<std::size_t> trials;
  for (std::size_t i = 1; i <= cuts; ++i) trials.push_back(low_ + (i * (left + 1)) / (cuts + 1) - 1);
  return trials;
}

void Bisection::tell(std::size_t candidate, bool meets) {
  if (meets && candidate < high_) {
    high_ = candidate;
    met_ = true;
  }
  if (!meets) low_ = std::max(low_, candidate + 1);
  low_ = std::min(low_, high_);  // a larger one failed where a smaller one does not: the smaller one stands
}

}  // namespace podsim::study
