// Which spans of a timeline a trace has, and the arrows of each: those both of whose ends it has.
#pragma once

#include <vector>

#include "platform/observe/selection.h"
#include "platform/observe/timeline.h"

namespace podsim::observe {

class Flows {
 public:
  Flows(const Timeline& timeline, const Selection& selection);

  [[nodiscard]] bool shows(SpanId span) const { return shown_[span]; }
  // Calls visit(arrow) for the arrows that begin at the end of a span (`out`), or end at its beginning, by their
  // numbers in the timeline.
  template <class Visit>
  void for_each(SpanId span, bool out, Visit&& visit) const {
    const std::vector<std::uint32_t>& first = out ? first_out_ : first_in_;
    const std::vector<std::uint32_t>& arrows = out ? out_ : in_;
    for (std::uint32_t i = first[span]; i < first[span + 1]; ++i) visit(arrows[i]);
  }

 private:
  std::vector<bool> shown_;
  std::vector<std::uint32_t> first_out_, first_in_;  // by span: where its arrows start in the lists below
  std::vector<std::uint32_t> out_, in_;
};

}  // namespace podsim::observe
