// Where the bytes of copies between chips were while the copies were on their way.
#pragma once

#include <unordered_map>
#include <vector>

#include "platform/observe/timeline.h"

namespace podsim::observe {

class CopyTimes {
 public:
  struct Part {
    Picoseconds begin = 0;
    Picoseconds end = 0;
    Cause cause = Cause::kNothing;
  };

  explicit CopyTimes(const Timeline& timeline);

  // [begin, end) of a copy, divided by cause, in order and without a gap: at its last link, bytes being serialised or
  // the link being busy with others, and the latency behind it; before, the way there; all else is memory.
  [[nodiscard]] std::vector<Part> parts(std::uint32_t copy, Picoseconds begin, Picoseconds end) const;

 private:
  // When the lane's last span that began before `time` ended; 0 if there is none.
  [[nodiscard]] Picoseconds free_before(LaneId lane, Picoseconds time) const;
  [[nodiscard]] Picoseconds latency(LaneId lane) const;

  const Timeline& timeline_;
  std::unordered_map<std::uint32_t, std::vector<SpanId>> by_copy_;  // spans on links
  std::unordered_map<LaneId, std::vector<SpanId>> by_lane_;
};

}  // namespace podsim::observe
