#include <algorithm>
#include <optional>

#include "platform/schedule/scheduler.h"

namespace podsim::schedule {

namespace {

class GapExplainer {
 public:
  GapExplainer(const Problem& problem, const Order& order)
      : problem_(problem),
        order_(order),
        timeline_(predict(problem, order)),
        begun_(problem.nodes.size()),
        ended_(problem.nodes.size()) {
    Bytes live = 0;
    unsigned in_flight = 0;
    std::vector<std::size_t> users_left(problem.nodes.size());
    for (const Node& node : problem.nodes) {
      for (const std::size_t need : node.needs) ++users_left[need];
    }
    for (std::size_t at = 0; at < order.size(); ++at) {
      live_before_.push_back(live);
      in_flight_before_.push_back(in_flight);
      const auto [kind, i] = order[at];
      if (kind != Slot::Kind::kDone) {
        begun_[i] = at;
        live += problem.nodes[i].result;
      }
      if (kind == Slot::Kind::kStart) ++in_flight;
      if (kind == Slot::Kind::kDone) --in_flight;
      if (kind == Slot::Kind::kStart) continue;
      ended_[i] = at;
      for (const std::size_t need : problem.nodes[i].needs) {
        if (--users_left[need] == 0) live -= problem.nodes[need].result;
      }
    }
  }

  [[nodiscard]] Gap explain(std::size_t transfer) const {
    Gap gap;
    gap.transfer = transfer;
    for (std::size_t at = begun_[transfer] + 1; at < ended_[transfer]; ++at) {
      gap.work += timeline_.slots[at].end - timeline_.slots[at].begin;
    }
    gap.duration = timeline_.transfers[transfer].end - timeline_.slots[begun_[transfer]].end;
    explain_start(transfer, gap);
    explain_done(transfer, gap);
    return gap;
  }

 private:
  // Whether a slot is work of the program's. Parameters are there from the beginning and take no time.
  [[nodiscard]] bool works(const Slot& slot) const {
    return slot.kind == Slot::Kind::kRun && problem_.nodes[slot.instruction].duration > 0;
  }
  // Whether the program computes somewhere in [from, to).
  [[nodiscard]] bool work_between(std::size_t from, std::size_t to) const {
    for (std::size_t at = from; at < to; ++at) {
      if (works(order_[at])) return true;
    }
    return false;
  }
  [[nodiscard]] bool covered(const Gap& gap) const { return gap.work >= gap.duration; }

  void explain_start(std::size_t transfer, Gap& gap) const {
    const std::size_t at = begun_[transfer];
    std::size_t from = 0;  // where it could come at the earliest
    for (const std::size_t need : problem_.nodes[transfer].needs) {
      const Node& node = problem_.nodes[need];
      const bool parameter = !node.transfer && node.duration == 0;
      if (parameter || ended_[need] + 1 <= from) continue;
      from = ended_[need] + 1;
      gap.start_after = need;
    }
    if (!work_between(from, at)) {
      gap.start = from == 0 ? Gap::Reason::kEnd : Gap::Reason::kNeeds;
      return;
    }
    // The last place before it that had work after it: what stood in the way there?
    std::size_t last = at;
    while (last > from && !works(order_[last - 1])) --last;
    const std::size_t place = last - 1;
    if (in_flight_before_[place] >= problem_.in_flight) {
      gap.start = Gap::Reason::kLimit;
    } else if (live_before_[place] + problem_.nodes[transfer].result > problem_.memory) {
      gap.start = Gap::Reason::kMemory;
    } else if (timeline_.transfers[transfer].begin > timeline_.slots[at].end) {
      gap.start = Gap::Reason::kChannels;
    } else if (covered(gap)) {
      gap.start = Gap::Reason::kEnough;
    }
  }

  void explain_done(std::size_t transfer, Gap& gap) const {
    const std::size_t at = ended_[transfer];
    std::size_t to = order_.size();  // where it could come at the latest
    std::optional<std::size_t> user;
    for (std::size_t i = 0; i < problem_.nodes.size(); ++i) {
      const auto& needs = problem_.nodes[i].needs;
      if (begun_[i] >= to || std::find(needs.begin(), needs.end(), transfer) == needs.end()) continue;
      to = begun_[i];
      user = i;
    }
    if (!work_between(at + 1, to)) {
      gap.done = user ? Gap::Reason::kNeeds : Gap::Reason::kEnd;
      gap.done_before = user.value_or(0);
    } else if (covered(gap)) {
      gap.done = Gap::Reason::kEnough;
    } else if (in_flight_before_[at] >= problem_.in_flight) {
      gap.done = Gap::Reason::kLimit;
    }
  }

  const Problem& problem_;
  const Order& order_;
  const Timeline timeline_;
  std::vector<std::size_t> begun_, ended_;  // by node: the slots in which it begins and ends
  std::vector<Bytes> live_before_;          // by slot
  std::vector<unsigned> in_flight_before_;
};

}  // namespace

std::vector<Gap> explain_gaps(const Problem& problem, const Order& order) {
  const GapExplainer explainer(problem, order);
  std::vector<Gap> gaps;
  for (const Slot& slot : order) {
    if (slot.kind == Slot::Kind::kStart) gaps.push_back(explainer.explain(slot.instruction));
  }
  return gaps;
}

}  // namespace podsim::schedule
