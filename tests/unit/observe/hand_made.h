// Timelines made by hand, of chips that have a lane of each kind.
#pragma once

#include <string>
#include <vector>

#include "platform/observe/timeline.h"

namespace podsim::observe {

class HandMade {
 public:
  static constexpr Picoseconds kLatency = 500;  // of a link

  explicit HandMade(unsigned chips = 2) {
    for (unsigned i = 0; i < chips; ++i) {
      const GroupId group = timeline.add_group({timeline.intern("chip " + std::to_string(i)), GroupKind::kChip, i});
      unsigned rank = 0;
      for (const LaneKind kind : {LaneKind::kProgram, LaneKind::kMxu, LaneKind::kVpu, LaneKind::kDma, LaneKind::kIci,
                                  LaneKind::kPcie, LaneKind::kWait}) {
        timeline.add_lane({group, timeline.intern(name(kind)), kind, rank++});
      }
    }
  }

  [[nodiscard]] static LaneId lane(unsigned chip, LaneKind kind) { return chip * 7 + static_cast<unsigned>(kind); }

  SpanId add(unsigned chip, LaneKind kind, Role role, Cause cause, Picoseconds begin, Picoseconds end,
             Picoseconds asked, SpanId thread, std::uint32_t copy = kNone) {
    Span span{.begin = begin, .end = end, .asked = asked, .bytes = 64, .lane = lane(chip, kind)};
    span.name = timeline.intern("span");
    span.thread = thread;
    span.copy = copy;
    span.role = role;
    span.cause = cause;
    return timeline.add(span);
  }
  SpanId task(unsigned chip, Picoseconds begin, Picoseconds end, SpanId by = kNone) {
    return add(chip, LaneKind::kProgram, Role::kTask, Cause::kNothing, begin, end, begin, by);
  }
  SpanId issue(unsigned chip, Picoseconds asked, Picoseconds begin, Picoseconds end, SpanId thread,
               std::uint32_t copy) {
    return add(chip, LaneKind::kDma, Role::kIssue, Cause::kIssue, begin, end, asked, thread, copy);
  }
  SpanId link(unsigned chip, Picoseconds begin, Picoseconds end, std::uint32_t copy) {
    return add(chip, LaneKind::kIci, Role::kLink, Cause::kLink, begin, end, begin, kNone, copy);
  }
  SpanId landing(unsigned chip, Picoseconds when, SpanId issue, std::uint32_t copy) {
    const SpanId id = add(chip, LaneKind::kDma, Role::kLanding, Cause::kLink, when, when, when, kNone, copy);
    timeline.connect(issue, id, ArrowKind::kCopy);
    return id;
  }
  // A wait, and what released it.
  SpanId wait(unsigned chip, Picoseconds began, Picoseconds granted, Picoseconds ended, SpanId thread, SpanId by) {
    add(chip, LaneKind::kWait, Role::kWait, Cause::kSemaphore, began, ended, began, thread);
    const SpanId release = add(chip, LaneKind::kWait, Role::kRelease, Cause::kSemaphore, granted, ended, began, thread);
    timeline.connect(by, release, ArrowKind::kRelease);
    return release;
  }
  // All spans so far, from the last step's end on, are this step's.
  void step(Picoseconds begin, Picoseconds time, bool completed = true) {
    const SpanId first = timeline.steps.empty() ? 0 : timeline.steps.back().last_span;
    timeline.steps.push_back({"step", begin, time, completed, first, static_cast<SpanId>(timeline.spans().size())});
  }
  // The link that leaves a chip.
  void add_link(unsigned from, unsigned to, const std::string& direction, std::vector<double> busy) {
    LinkLoad load;
    load.from = static_cast<ChipId>(from);
    load.to = static_cast<ChipId>(to);
    load.direction = direction;
    load.latency = kLatency;
    load.lane = lane(from, LaneKind::kIci);
    load.busy = std::move(busy);
    timeline.links.push_back(load);
  }

  Timeline timeline;
};

}  // namespace podsim::observe
