#include "platform/observe/critical_path.h"

#include <algorithm>
#include <unordered_map>

#include "platform/observe/copy_time.h"
#include "platform/observe/lanes.h"

namespace podsim::observe {

namespace {

class PathFinder {
 public:
  PathFinder(const Timeline& timeline, CriticalPath& path)
      : timeline_(timeline), path_(path), copy_times_(timeline), from_(timeline.spans().size(), kNone) {
    for (const Arrow& arrow : timeline.arrows()) from_[arrow.to] = arrow.from;
    for (SpanId i = 0; i < timeline.spans().size(); ++i) {
      const Span& span = timeline.spans()[i];
      if (span.role == Role::kIssue && span.copy != kNone) issues_[span.copy] = i;
    }
  }

  void follow(const Step& step) {
    begin_ = step.begin;
    time_ = step.begin + step.time;
    collect(step);
    const std::size_t first = path_.segments.size();
    SpanId thread = last_task(step);
    if (!step.completed) thread = last_to_move(thread);
    while (thread != kNone && time_ > begin_) thread = before(thread);
    add(begin_, Cause::kIssue, kNone);
    std::reverse(path_.segments.begin() + static_cast<std::ptrdiff_t>(first), path_.segments.end());
  }

 private:
  // Something after which a program went on.
  struct Event {
    Picoseconds time;
    SpanId release;  // the end of a wait, or ...
    SpanId ended;    // ... of a task
  };
  struct Thread {
    std::vector<Event> events;  // by time
    std::size_t left = 0;       // that the path has not passed
  };
  struct Unit {
    std::vector<SpanId> commands;  // by their beginnings
  };

  [[nodiscard]] const Span& span(SpanId id) const { return timeline_.spans()[id]; }

  void collect(const Step& step) {
    threads_.clear();
    units_.clear();
    for (SpanId i = step.first_span; i < step.last_span; ++i) {
      const Span& each = span(i);
      if (each.role == Role::kRelease) threads_[each.thread].events.push_back({each.end, i, kNone});
      if (each.role == Role::kCommand) units_[unit_of(each)].commands.push_back(i);
    }
    for (const Join& join : timeline_.joins()) {
      if (join.by >= step.first_span && join.by < step.last_span) {
        threads_[join.by].events.push_back({join.when, kNone, join.ended});
      }
    }
    for (auto& [id, thread] : threads_) {
      std::stable_sort(thread.events.begin(), thread.events.end(),
                       [](const Event& a, const Event& b) { return a.time < b.time; });
      thread.left = thread.events.size();
    }
    for (auto& [id, unit] : units_) {
      std::stable_sort(unit.commands.begin(), unit.commands.end(),
                       [&](SpanId a, SpanId b) { return span(a).begin < span(b).begin; });
    }
  }

  // The task that ended last.
  [[nodiscard]] SpanId last_task(const Step& step) const {
    SpanId last = kNone;
    for (SpanId i = step.first_span; i < step.last_span; ++i) {
      if (span(i).role == Role::kTask && (last == kNone || span(i).end > span(last).end)) last = i;
    }
    return last;
  }

  // Of a run that hangs: the program that went on last. From then on all wait.
  [[nodiscard]] SpanId last_to_move(SpanId otherwise) {
    SpanId last = kNone;
    Picoseconds when = begin_;
    for (const auto& [id, thread] : threads_) {
      if (id == kNone || thread.events.empty()) continue;
      const Picoseconds time = thread.events.back().time;
      if (time > when || (time == when && last != kNone && id < last)) {
        last = id;
        when = time;
      }
    }
    if (last == kNone) return otherwise;
    add(when, Cause::kSemaphore, kNone);
    return last;
  }

  // The path goes back to `begin`, for this cause.
  void add(Picoseconds begin, Cause cause, SpanId span) {
    begin = std::clamp(begin, begin_, time_);
    if (begin == time_) return;
    path_.shares[static_cast<std::size_t>(cause)] += time_ - begin;
    path_.segments.push_back({begin, time_, cause, span});
    time_ = begin;
  }

  // Goes back from the present time of this program to the next one that it had to wait for, and says which that is.
  [[nodiscard]] SpanId before(SpanId thread) {
    Thread& here = threads_[thread];
    while (here.left > 0 && here.events[here.left - 1].time > time_) --here.left;
    if (here.left == 0) {
      const Span& task = span(thread);
      add(task.begin, Cause::kIssue, thread);
      add(task.asked, Cause::kQueue, thread);  // for a context of the core
      return task.thread;
    }
    const Event event = here.events[--here.left];
    if (event.ended != kNone) {
      if (span(event.ended).end < event.time) return thread;  // it had ended already
      add(event.time, Cause::kIssue, thread);
      return event.ended;
    }
    const Span& release = span(event.release);
    add(event.time, Cause::kIssue, thread);
    add(release.begin, Cause::kSemaphore, event.release);
    const SpanId source = from_[event.release];
    if (release.begin <= release.asked || source == kNone) {
      add(release.asked, Cause::kSemaphore, event.release);
      return thread;
    }
    return before_source(source, event.release);
  }

  // Goes back over what released a wait.
  [[nodiscard]] SpanId before_source(SpanId source, SpanId wait) {
    const Span& what = span(source);
    switch (what.role) {
      case Role::kLanding: {
        add(what.begin, Cause::kSemaphore, wait);
        return before_copy(from_[source], source, wait);
      }
      case Role::kCopy: {
        add(what.end, Cause::kSemaphore, wait);
        const auto issue = issues_.find(what.copy);
        return before_copy(issue == issues_.end() ? kNone : issue->second, source, wait);
      }
      case Role::kArrival: {
        add(what.begin, Cause::kSemaphore, wait);
        const SpanId signal = from_[source];
        if (signal == kNone) return kNone;
        expose(signal, source, wait, span(signal).begin);
        add(span(signal).begin, Cause::kHop, source);
        return span(signal).thread;
      }
      case Role::kCommand: {
        add(what.end, Cause::kSemaphore, wait);
        expose(kNone, source, wait, what.begin);
        return before_command(source);
      }
      default: {
        add(what.begin, Cause::kSemaphore, wait);
        return what.thread;
      }
    }
  }

  [[nodiscard]] SpanId before_copy(SpanId issue, SpanId end, SpanId wait) {
    if (issue == kNone) return kNone;
    const Span& begun = span(issue);
    expose(issue, end, wait, begun.begin);
    const Span& copy = span(end);
    if (copy.cause == Cause::kLink) {
      const std::vector<CopyTimes::Part> parts = copy_times_.parts(copy.copy, begun.end, time_);
      for (auto part = parts.rbegin(); part != parts.rend(); ++part) add(part->begin, part->cause, end);
    }
    add(begun.end, copy.cause, end);
    add(begun.begin, Cause::kIssue, issue);
    add(begun.asked, Cause::kQueue, issue);
    return begun.thread;
  }

  // The commands before it in its unit, as far back as it waited for them.
  [[nodiscard]] SpanId before_command(SpanId id) {
    const std::vector<SpanId>& all = units_[unit_of(span(id))].commands;
    auto place = std::find(all.begin(), all.end(), id);
    for (;;) {
      const Span& command = span(*place);
      add(command.begin, command.cause, *place);
      if (place == all.begin() || span(*std::prev(place)).end <= command.asked) {
        add(command.asked, Cause::kIssue, *place);
        return command.thread;
      }
      --place;
      add(span(*place).end, Cause::kIssue, *place);
    }
  }

  void expose(SpanId from, SpanId to, SpanId wait, Picoseconds since) {
    const Span& release = span(wait);
    const Picoseconds time = release.begin - std::max(release.asked, since);
    if (time > 0) path_.longest.push_back({from, to, wait, time});
  }

  [[nodiscard]] std::uint64_t unit_of(const Span& command) const {
    const Lane& lane = timeline_.lanes()[command.lane];
    return std::uint64_t{lane.group} << 32 | std::uint64_t{static_cast<unsigned>(lane.kind)} << 24 | lane_of(lane.rank);
  }

  const Timeline& timeline_;
  CriticalPath& path_;
  CopyTimes copy_times_;
  std::vector<SpanId> from_;                          // by span: where the arrow to it comes from
  std::unordered_map<std::uint32_t, SpanId> issues_;  // by copy
  std::unordered_map<SpanId, Thread> threads_;
  std::unordered_map<std::uint64_t, Unit> units_;
  Picoseconds begin_ = 0;
  Picoseconds time_ = 0;  // how far back the path has come
};

}  // namespace

CriticalPath find_critical_path(const Timeline& timeline) {
  CriticalPath path;
  PathFinder finder(timeline, path);
  for (const Step& step : timeline.steps) {
    finder.follow(step);
    path.time += step.time;
  }
  std::stable_sort(path.longest.begin(), path.longest.end(),
                   [](const auto& a, const auto& b) { return a.time > b.time; });
  if (path.longest.size() > kMostExposed) path.longest.resize(kMostExposed);
  return path;
}

}  // namespace podsim::observe
