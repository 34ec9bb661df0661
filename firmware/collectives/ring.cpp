#include "firmware/collectives/ring.h"

namespace podsim::firmware {

namespace {

Stream stream(const Ring& ring, bool closed, bool reversed) {
  Stream stream;
  stream.size = ring.members.size();
  stream.closed = closed;
  stream.reversed = reversed;
  stream.position = stream.coordinate(ring.position);
  if (closed || stream.position + 1 < stream.size) {
    stream.next = ring.members[stream.coordinate((stream.position + 1) % stream.size)];
  }
  if (closed || stream.position > 0) {
    stream.previous = ring.members[stream.coordinate(stream.before(1))];
  }
  return stream;
}

}  // namespace

std::vector<Stream> streams(const Ring& ring, Directions directions) {
  if (directions == Directions::kOneWay) return {stream(ring, true, false)};
  std::vector<Stream> both = {stream(ring, ring.wraps, false), stream(ring, ring.wraps, true)};
  if (ring.wraps) {
    for (unsigned i = 0; i < 2; ++i) {
      both[i].part = i;
      both[i].parts = 2;
    }
  }
  return both;
}

}  // namespace podsim::firmware
