// Rings and the streams of data that go round them.
//
// A ring is the chips along one axis. A stream is one direction of travel: each chip receives from `previous` and sends
// to `next`, and positions count in the direction of travel, so that an algorithm is written once, for a stream. A ring
// that wraps carries a closed stream each way, each with half of the data. An axis that does not wrap is a line and
// carries an open stream each way, both with all of the data: what lies to the left comes from the left. One way only,
// the stream is always closed: on a line the message from the last chip to the first travels back along the line.
#pragma once

#include <optional>
#include <vector>

#include "firmware/collectives/call.h"
#include "firmware/device/buffer.h"

namespace podsim::firmware {

struct Ring {
  std::vector<ChipId> members;  // by coordinate
  std::uint64_t position = 0;   // this chip's coordinate
  bool wraps = false;
};

struct Stream {
  std::uint64_t size = 1;      // chips
  std::uint64_t position = 0;  // of this chip, in the direction of travel
  bool closed = true;          // the last chip sends to the first
  bool reversed = false;       // travels towards lower coordinates
  std::optional<ChipId> next;  // none at the end of an open stream
  std::optional<ChipId> previous;
  unsigned part = 0;   // which part of the data it carries,
  unsigned parts = 1;  // of how many

  // The coordinate of the chip at a position, and the other way round.
  [[nodiscard]] std::uint64_t coordinate(std::uint64_t at) const { return reversed ? size - 1 - at : at; }
  // The position `back` places before this chip; on an open stream there must be one.
  [[nodiscard]] std::uint64_t before(std::uint64_t back) const { return (position + size - back % size) % size; }
  // This stream's part of a range.
  [[nodiscard]] Range share(Range range) const { return range.part(part, parts); }
};

// The streams of a ring of two chips or more: one or two.
[[nodiscard]] std::vector<Stream> streams(const Ring& ring, Directions directions);

}  // namespace podsim::firmware
