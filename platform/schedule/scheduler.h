// Orders the instructions of a program.
//
//   synchronous     transfers one by one, each waited for at once: what a program without start and done does
//   latency_hiding  transfers are started early and waited for late, with independent work between the two, as far as
//                   dependencies, memory and the limit on transfers under way allow
//
// The search is a beam over partial orders: of all ways to go on, the ones with the least bound on the time that the
// whole program will take are kept. The bound counts the computation that is left, what is left on each channel, and
// the longest chain of dependencies. How long an order really takes is for the simulation to say.
#pragma once

#include <string>
#include <vector>

#include "platform/schedule/problem.h"

namespace podsim::schedule {

[[nodiscard]] Order synchronous(const Problem& problem, const Order& written);

// `written` is an order that keeps the dependencies. It is returned where it keeps the limits on memory and on
// transfers under way and is predicted to take less than what was found, and where nothing that keeps them was found:
// then it need not keep them either.
[[nodiscard]] Order latency_hiding(const Problem& problem, const Order& written);

// Whether the limits on memory and on transfers under way are kept.
[[nodiscard]] bool keeps_limits(const Problem& problem, const Order& order);

// Why the gap between a transfer's start and its done is not wider.
struct Gap {
  std::size_t transfer = 0;
  Picoseconds work = 0;      // of the program's own, expected in between
  Picoseconds duration = 0;  // expected of the transfer, its wait for its channels included
  // What comes before the start, or after the done, for a reason: the instruction that it needs, or that needs it.
  enum class Reason {
    kNeeds,     // the start comes as soon as what it needs has ended; the done as late as what needs it allows
    kLimit,     // as many transfers are under way as may be
    kMemory,    // there is no room for its result before
    kChannels,  // it would only wait for its channels
    kEnough,    // the gap already covers the transfer
    kEnd,       // the program begins or ends there
    kNothing,   // nothing stands in the way: an order as written
  };
  Reason start = Reason::kNothing, done = Reason::kNothing;
  std::size_t start_after = 0, done_before = 0;  // of kNeeds
};
[[nodiscard]] std::vector<Gap> explain_gaps(const Problem& problem, const Order& order);

}  // namespace podsim::schedule
