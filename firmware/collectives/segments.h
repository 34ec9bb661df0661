// How a stream of a reduce-scatter cuts its share: into segments, for each of which the ring is gone round once, so
// that the slots of one find room; and those into chunks, of which one is added while the other is on the link.
#pragma once

#include <cstdint>

#include "models/kernel/units.h"

namespace podsim::firmware {

struct Segments {
  std::uint64_t segments = 1;
  std::uint64_t chunks = 1;  // of a segment
  std::uint64_t slots = 0;   // that chunks take turns in
  bool fits = true;          // in the room; else the slots are too large for it, and one segment is all there is
};

// Chunks of a share for which no number is asked: as many as are worth their issue.
[[nodiscard]] std::uint64_t chunks_of(Bytes share, unsigned wanted);

// `chunks` of the whole share. A segment has fewer: as many as are left for it, but two at least where there were two.
// `room`: for all slots together, but for a rounding of an element each. A share that would have to be cut into slots
// smaller than is worth a round does not fit.
[[nodiscard]] Segments cut_to_fit(Bytes share, std::uint64_t chunks, Bytes room);

}  // namespace podsim::firmware
