// Whose turn it is where copies of different priority compete: for the engine's issue, and for its next burst. Plain
// class, no kernel.
//
// The highest level goes first. A level that has been passed over `overtakes` times while it had something to do goes
// next, once: no copy starves. Where two are due, the lower one has waited longer.
#pragma once

#include <array>

#include "models/dma/dma_registers.h"

namespace podsim::dma {

// 0 is the lowest.
inline constexpr unsigned kLevels = 3;
constexpr unsigned level_of(Priority priority) {
  switch (priority) {
    case Priority::kBackground: return 0;
    case Priority::kNormal: return 1;
    case Priority::kUrgent: return 2;
  }
  return 1;
}

class PriorityTurns {
 public:
  // At least 1.
  explicit PriorityTurns(unsigned overtakes) : overtakes_(overtakes) {}

  // `present`: a bit for each level that has something to do, not 0.
  [[nodiscard]] unsigned next(unsigned present) const {
    unsigned highest = 0;
    for (unsigned level = 0; level < kLevels; ++level) {
      if ((present >> level & 1) == 0) continue;
      if (passed_over_[level] >= overtakes_) return level;
      highest = level;
    }
    return highest;
  }
  // A level had its turn while those of `present` had something to do.
  void took(unsigned level, unsigned present) {
    passed_over_[level] = 0;
    for (unsigned lower = 0; lower < level; ++lower) {
      if (present >> lower & 1) ++passed_over_[lower];
    }
  }

 private:
  const unsigned overtakes_;
  std::array<unsigned, kLevels> passed_over_{};
};

}  // namespace podsim::dma
