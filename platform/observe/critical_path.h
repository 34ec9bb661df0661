// What held a run up: from the last event of each step back over whatever each thing waited for, and which part of the
// time went to what. Pure functions over a timeline.
//
// The way back: a program's step came after a wait; the wait ended when a copy landed, a signal arrived or a command
// was finished; the copy began when it was issued; it was issued by a program's step. Where a wait found its semaphore
// high enough already, nothing was waited for, and the way goes on in the same program. A copy's time on its way is
// divided by where its bytes were: being read and written (HBM), being serialised or behind others on a link, in
// between (hop latency).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "platform/observe/timeline.h"

namespace podsim::observe {

struct CriticalPath {
  struct Segment {
    Picoseconds begin = 0;
    Picoseconds end = 0;
    Cause cause = Cause::kNothing;
    SpanId span = kNone;  // what took the time
  };
  // A copy, a signal or a command on the path, and for how long the program that needed it stood still.
  struct Exposed {
    SpanId from = kNone;  // its issue or signal; none for a command
    SpanId to = kNone;    // its landing, arrival or end
    SpanId wait = kNone;  // what it released
    Picoseconds time = 0;
  };

  std::vector<Segment> segments;              // in order of time; those of a step follow each other without a gap
  std::array<Picoseconds, kCauses> shares{};  // by cause; they add up to `time`
  Picoseconds time = 0;                       // of all steps
  std::vector<Exposed> longest;               // the ten most exposed, longest first

  [[nodiscard]] Picoseconds share(Cause cause) const { return shares[static_cast<std::size_t>(cause)]; }
};

inline constexpr std::size_t kMostExposed = 10;

// Of a timeline that nothing was left out of.
[[nodiscard]] CriticalPath find_critical_path(const Timeline& timeline);

// One sentence: what takes most of the time, and what would help.
[[nodiscard]] std::string advice(const Timeline& timeline, const CriticalPath& path);
// "/device:TPU:0 (0,0) -> /device:TPU:1 (1,0): copy to chip 1 of 64 KiB, waited for at ..."
[[nodiscard]] std::string describe(const Timeline& timeline, const CriticalPath::Exposed& exposed);
// A table of causes, the longest, and the advice.
[[nodiscard]] std::string critical_path_text(const Timeline& timeline, const CriticalPath& path);

}  // namespace podsim::observe
