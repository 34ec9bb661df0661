#include "platform/observe/timeline.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace podsim::observe {

StringId Timeline::intern(std::string_view text) {
  const auto known = ids_.find(text);
  if (known != ids_.end()) return known->second;
  const auto id = static_cast<StringId>(strings_.size());
  ids_.emplace(strings_.emplace_back(text), id);  // a deque's elements stay where they are
  return id;
}

GroupId Timeline::add_group(const Group& group) {
  groups_.push_back(group);
  return static_cast<GroupId>(groups_.size() - 1);
}

LaneId Timeline::add_lane(const Lane& lane) {
  lanes_.push_back(lane);
  return static_cast<LaneId>(lanes_.size() - 1);
}

bool Timeline::has_room() {
  if (spans_.size() + arrows_.size() < most_) return true;
  ++dropped_;
  return false;
}

SpanId Timeline::add(const Span& span) {
  if (!has_room()) return kNone;
  spans_.push_back(span);
  return static_cast<SpanId>(spans_.size() - 1);
}

void Timeline::connect(SpanId from, SpanId to, ArrowKind kind) {
  if (from == kNone || to == kNone || !has_room()) return;
  arrows_.push_back({from, to, kind});
}

std::vector<LaneId> Timeline::lanes_in_order() const {
  std::vector<LaneId> order(lanes_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](LaneId a, LaneId b) {
    return std::pair(lanes_[a].group, lanes_[a].rank) < std::pair(lanes_[b].group, lanes_[b].rank);
  });
  return order;
}

Picoseconds Timeline::time() const {
  Picoseconds time = 0;
  for (const Step& step : steps) time += step.time;
  return time;
}

Picoseconds Timeline::end() const {
  Picoseconds end = 0;
  for (const Step& step : steps) end = std::max(end, step.begin + step.time);
  for (const Span& span : spans_) end = std::max(end, span.end);
  return end;
}

void Timeline::forget(const Mark& mark) {
  spans_.resize(mark.spans);
  arrows_.resize(mark.arrows);
  joins_.resize(mark.joins);
  steps.resize(mark.steps);
  dropped_ = mark.dropped;
}

std::string_view name(Cause cause) {
  constexpr std::array<std::string_view, kCauses> kNames{
      "none", "compute", "link serialisation", "hop latency", "HBM", "PCIe", "semaphore", "queue slot", "issue"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::string_view name(LaneKind kind) {
  constexpr std::array<std::string_view, 7> kNames{"program", "mxu", "vpu", "dma", "ici", "pcie", "wait"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name(GroupKind kind) { return kind == GroupKind::kChip ? "chip" : "host"; }

std::string_view name(ArrowKind kind) {
  constexpr std::array<std::string_view, 3> kNames{"copy", "signal", "release"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace podsim::observe
