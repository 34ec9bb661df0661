// What happened in a run, as people read it: lanes of spans, arrows from what was started to where it landed to the
// wait that it released, and series of counters. Plain data: recorder.h fills it from the blocks' probes, the trace
// writers, the report and the critical path (critical_path.h) read it.
//
// Times are simulated picoseconds from the beginning of the first step; steps follow one another without the time that
// podsim itself uses in between (to measure what a module's instructions take alone).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/kernel/ids.h"
#include "models/kernel/units.h"

namespace podsim::observe {

using StringId = std::uint32_t;
using SpanId = std::uint32_t;
using LaneId = std::uint32_t;
using GroupId = std::uint32_t;
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

enum class GroupKind : std::uint8_t { kChip, kHost };
enum class LaneKind : std::uint8_t { kProgram, kMxu, kVpu, kDma, kIci, kPcie, kWait };

// What time was spent on.
enum class Cause : std::uint8_t {
  kNothing,
  kCompute,    // matrix and vector units at work
  kLink,       // bytes being serialised onto an ICI link, or waiting for one that serialises others
  kHop,        // latency of ICI links and routers
  kHbm,        // memory: reading sources, writing destinations, vector commands that memory holds up
  kPcie,       // copies from and to the host
  kSemaphore,  // from a semaphore's grant to the program's next step
  kQueue,      // waiting for a place: a DMA engine's queue or context, a context of the scalar core
  kIssue,      // the scalar core at work, and a DMA engine issuing
};
inline constexpr unsigned kCauses = 9;

// What a span is of.
enum class Role : std::uint8_t {
  kOther,
  kStep,         // of the run, on a chip: from its beginning to the end of the chip's program
  kTask,         // of a chip's program
  kCollective,   // a call, on a chip
  kInstruction,  // of a module
  kIssue,        // a DMA engine issues a descriptor; ends as the copy starts
  kCopy,         // a context of a DMA engine carries out a copy: until its last byte has left, or has been written
  kLanding,      // a copy from another chip is visible here; takes no time
  kSignal,       // a program raises a semaphore; takes no time
  kArrival,      // a signal from another chip is here; takes no time
  kCommand,      // of a matrix or vector unit
  kLink,         // of a copy or signal on an ICI link
  kPcie,         // of a copy on a PCIe link
  kWait,         // a program waits for a semaphore
  kRelease,      // the end of a wait: from the grant to the program's next step
};

enum class ArrowKind : std::uint8_t {
  kCopy,     // issue -> landing, or issue -> copy within the chip
  kSignal,   // signal -> arrival
  kRelease,  // what raised a semaphore -> the wait that this released
};

struct Group {
  StringId name;
  GroupKind kind;
  std::uint32_t number;  // of the chip or host
};

struct Lane {
  GroupId group;
  StringId name;
  LaneKind kind;
  std::uint32_t rank;  // order within the group
};

struct Span {
  Picoseconds begin = 0;
  Picoseconds end = 0;
  Picoseconds asked = 0;  // when a program asked for it: earlier than `begin` for what had to wait for its turn
  Bytes bytes = 0;        // moved; of a wait: the value waited for
  LaneId lane = 0;
  StringId name = kNone;
  StringId detail = kNone;
  SpanId thread = kNone;       // the task whose doing it is; of a task: the one that spawned it
  std::uint32_t copy = kNone;  // number of the copy that an issue, copy, landing or link span is part of
  Role role = Role::kOther;
  Cause cause = Cause::kNothing;
};

// Drawn from the end of `from` to the beginning of `to`.
struct Arrow {
  SpanId from;
  SpanId to;
  ArrowKind kind;
};

// Task `by` has waited for the end of another, or has asked whether it has ended.
struct Join {
  Picoseconds when;
  SpanId ended;
  SpanId by;
};

struct Step {
  std::string name;
  Picoseconds begin = 0;
  Picoseconds time = 0;  // as the run reports it
  bool completed = true;
  SpanId first_span = 0, last_span = 0;  // its own are [first, last)
};

// One value for each of a number of equal stretches of time from 0 on.
struct Series {
  StringId name;
  StringId unit;
  GroupId group;
  Picoseconds width = 1;  // of a stretch
  std::vector<double> values;
};

// A link of the pod, and which part of each stretch of time it was busy.
struct LinkLoad {
  ChipId from{};
  ChipId to{};
  unsigned port = 0;
  std::string direction;  // "x+"
  Bandwidth bandwidth{};  // one way
  Picoseconds latency = 0;
  LaneId lane = kNone;  // the first of the link's lanes; none if the chip is not recorded
  std::vector<double> busy;
};

class Timeline {
 public:
  static constexpr std::size_t kDefaultMost = 5'000'000;

  // Keeps at most so many spans and arrows together; counts what comes after that.
  explicit Timeline(std::size_t most = kDefaultMost) : most_(most) {}

  StringId intern(std::string_view text);
  [[nodiscard]] std::string_view text(StringId id) const { return id == kNone ? std::string_view() : strings_[id]; }
  [[nodiscard]] const std::deque<std::string>& strings() const { return strings_; }

  GroupId add_group(const Group& group);
  LaneId add_lane(const Lane& lane);
  // kNone when there is no room.
  SpanId add(const Span& span);
  // Nothing happens unless both are there.
  void connect(SpanId from, SpanId to, ArrowKind kind);
  void join(const Join& join) { joins_.push_back(join); }

  // Null for kNone.
  [[nodiscard]] Span* find(SpanId id) { return id == kNone ? nullptr : &spans_[id]; }
  [[nodiscard]] const Span* find(SpanId id) const { return id == kNone ? nullptr : &spans_[id]; }

  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] const std::vector<Lane>& lanes() const { return lanes_; }
  // In the order of groups and ranks, which does not depend on what happened first.
  [[nodiscard]] std::vector<LaneId> lanes_in_order() const;
  [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }
  [[nodiscard]] const std::vector<Arrow>& arrows() const { return arrows_; }
  [[nodiscard]] const std::vector<Join>& joins() const { return joins_; }

  [[nodiscard]] std::size_t most() const { return most_; }
  // Spans and arrows for which there was no room.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  // Of the steps together, as the run reports them; and the end of the last event.
  [[nodiscard]] Picoseconds time() const;
  [[nodiscard]] Picoseconds end() const;

  std::vector<Step> steps;
  std::vector<Series> series;
  std::vector<LinkLoad> links;
  Picoseconds link_slice = 1;  // width of the stretches of LinkLoad::busy

  // Forgets everything since a mark but strings, groups and lanes.
  struct Mark {
    std::size_t spans = 0, arrows = 0, joins = 0, steps = 0;
    std::uint64_t dropped = 0;
  };
  [[nodiscard]] Mark mark() const { return {spans_.size(), arrows_.size(), joins_.size(), steps.size(), dropped_}; }
  void forget(const Mark& mark);

 private:
  [[nodiscard]] bool has_room();

  std::size_t most_;
  std::deque<std::string> strings_;
  std::unordered_map<std::string_view, StringId> ids_;
  std::vector<Group> groups_;
  std::vector<Lane> lanes_;
  std::vector<Span> spans_;
  std::vector<Arrow> arrows_;
  std::vector<Join> joins_;
  std::uint64_t dropped_ = 0;
};

// "compute", "link serialisation", "hop latency", ...
[[nodiscard]] std::string_view name(Cause cause);
// "program", "mxu", ...
[[nodiscard]] std::string_view name(LaneKind kind);
[[nodiscard]] std::string_view name(GroupKind kind);
// "copy", "signal", "release"
[[nodiscard]] std::string_view name(ArrowKind kind);

}  // namespace podsim::observe
