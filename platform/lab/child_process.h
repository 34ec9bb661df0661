// Work in a process of its own, with limits: code that somebody else wrote may crash or never end, and SystemC builds
// one simulation a process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace podsim::lab {

struct Limits {
  unsigned cpu_seconds = 10;
  // Of waiting as well, for code that sleeps. Ample, since the machine may be busy.
  [[nodiscard]] unsigned wall_seconds() const { return 60 + 10 * cpu_seconds; }
};

struct ChildEnd {
  enum class How : std::uint8_t {
    kAnswered,
    kCrashed,    // a signal, or an end without an answer
    kOutOfTime,  // one of the limits
  };
  How how = How::kCrashed;
  std::string answer;  // what the work returned
  std::string why;     // "segmentation fault"; empty when answered
};

// The child's standard output goes to standard error. It ends with the parent at the latest. Throws std::runtime_error
// when there can be no child.
[[nodiscard]] ChildEnd run_in_child(const std::function<std::string()>& work, const Limits& limits);

}  // namespace podsim::lab
