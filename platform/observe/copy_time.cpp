#include "platform/observe/copy_time.h"

#include <algorithm>

namespace podsim::observe {

CopyTimes::CopyTimes(const Timeline& timeline) : timeline_(timeline) {
  for (SpanId i = 0; i < timeline.spans().size(); ++i) {
    const Span& span = timeline.spans()[i];
    if (span.role != Role::kLink) continue;
    if (span.copy != kNone) by_copy_[span.copy].push_back(i);
    by_lane_[span.lane].push_back(i);
  }
  for (auto& [lane, spans] : by_lane_) {
    std::stable_sort(spans.begin(), spans.end(),
                     [&](SpanId a, SpanId b) { return timeline_.spans()[a].begin < timeline_.spans()[b].begin; });
  }
}

Picoseconds CopyTimes::free_before(LaneId lane, Picoseconds time) const {
  const auto found = by_lane_.find(lane);
  if (found == by_lane_.end()) return 0;
  const std::vector<SpanId>& spans = found->second;
  const auto next = std::lower_bound(spans.begin(), spans.end(), time,
                                     [&](SpanId id, Picoseconds at) { return timeline_.spans()[id].begin < at; });
  return next == spans.begin() ? 0 : timeline_.spans()[*std::prev(next)].end;
}

Picoseconds CopyTimes::latency(LaneId lane) const {
  for (const LinkLoad& link : timeline_.links) {
    if (link.lane == lane) return link.latency;
  }
  return timeline_.links.empty() ? 0 : timeline_.links.front().latency;
}

std::vector<CopyTimes::Part> CopyTimes::parts(std::uint32_t copy, Picoseconds begin, Picoseconds end) const {
  std::vector<Part> parts;
  const auto add = [&](Picoseconds to, Cause cause) {
    const Picoseconds from = parts.empty() ? begin : parts.back().end;
    to = std::clamp(to, from, end);
    if (to == from) return;
    if (!parts.empty() && parts.back().cause == cause) {
      parts.back().end = to;
    } else {
      parts.push_back({from, to, cause});
    }
  };
  const auto found = by_copy_.find(copy);
  if (found == by_copy_.end()) return parts;
  std::vector<SpanId> spans = found->second;
  const auto& all = timeline_.spans();
  std::stable_sort(spans.begin(), spans.end(), [&](SpanId a, SpanId b) { return all[a].begin < all[b].begin; });

  // The link that it left last, and how many links it took.
  SpanId latest = spans.front();
  std::vector<LaneId> lanes;
  for (const SpanId id : spans) {
    if (all[id].end >= all[latest].end) latest = id;
    if (std::find(lanes.begin(), lanes.end(), all[id].lane) == lanes.end()) lanes.push_back(all[id].lane);
  }
  const LaneId first_lane = all[spans.front()].lane, last_lane = all[latest].lane;

  // The way to the last link.
  const auto at_last = std::find_if(spans.begin(), spans.end(), [&](SpanId id) { return all[id].lane == last_lane; });
  const Picoseconds leaves = all[spans.front()].begin;
  add(free_before(first_lane, leaves), Cause::kLink);  // behind others
  add(leaves, Cause::kHbm);
  if (first_lane != last_lane) {
    const Picoseconds hops = static_cast<Picoseconds>(lanes.size() - 1) * latency(first_lane);
    add(all[*at_last].begin - hops, Cause::kLink);
    add(all[*at_last].begin, Cause::kHop);
  }
  // On the last link.
  for (auto each = at_last; each != spans.end(); ++each) {
    const Span& span = all[*each];
    if (span.lane != last_lane) continue;
    add(free_before(last_lane, span.begin), Cause::kLink);
    add(span.begin, Cause::kHbm);
    add(span.end, Cause::kLink);
  }
  add(all[latest].end + latency(last_lane), Cause::kHop);
  add(end, Cause::kHbm);
  return parts;
}

}  // namespace podsim::observe
