// A hazard in words: both accesses, both program lines, and what would have to be there to put them in order.
#pragma once

#include "platform/check/hazard.h"

namespace podsim::check {

struct Hazard {
  HazardChecker::Kind kind;
  Span where;
  const Operation* earlier;  // null: none
  const Operation& later;
};

[[nodiscard]] Explanation hazard_text(const Hazard& hazard, const ici::TorusShape& torus, const Devices& devices);

}  // namespace podsim::check
