// Explains a pod whose programs hang: which chips wait at which program line, for which semaphore, what it holds and
// what it lacks; and who waits for whom in a circle, or who is missing.
#pragma once

#include "platform/check/explanation.h"
#include "platform/check/observers.h"
#include "platform/pod/pod.h"

namespace podsim::check {

enum class Hang : std::uint8_t {
  kNothingLeft,  // no event is left
  kOutOfTime,    // the time limit was reached; something may still be about to happen
  kNoProgress,   // busy, but nothing moves, is signalled or granted
};

// The programs can't be run on afterwards.
[[nodiscard]] Explanation explain_blocked(pod::Pod& pod, const Devices& devices, const Observers& observers, Hang hang);

}  // namespace podsim::check
