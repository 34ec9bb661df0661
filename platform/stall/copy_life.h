// The life of a copy, as the blocks tell of it, and from that what held it up at each moment before a given end.
//
// A copy's bursts overlap: while one is on the link, the next is being read. So what held the copy up is found from its
// end backwards, along whatever was waited for. Its last burst has arrived when the link had carried it; the link took
// it when the burst before had left (the link's time), or else as soon as it came from memory (memory's time); it was
// asked for when an earlier one had made room; and so on, back to the descriptor's way through the engine, and to the
// time when the peer had not yet sent anything.
#pragma once

#include <vector>

#include "platform/stall/time_line.h"

namespace podsim::stall {

struct CopyLife {
  // Times of a burst in the order of its way. The link is the first on the way, or PCIe; a copy within the chip has
  // none.
  struct Burst {
    Picoseconds requested = 0;  // of the source memory
    Picoseconds ready = 0;      // first byte out of it
    Picoseconds on_link = 0;    // first byte on the link
    Picoseconds left = 0;       // last byte on it
    Picoseconds arrived = 0;    // last byte at the destination's memory
    Picoseconds visible = 0;    // there
    bool slow_source = false;   // came slower from memory than the link could have carried it; or there is no link
  };
  bool remote = false;
  Bytes bytes = 0;
  Picoseconds queued = 0;   // the descriptor came
  Picoseconds started = 0;  // its issue was complete
  Picoseconds issue = 0;    // the engine's time for that
  std::vector<Burst> bursts{};
  std::size_t on_link = 0;  // bursts that have left, and landed
  std::size_t landed = 0;
  bool sent = false;
  Picoseconds write_lag = 0;  // of the destination's memory, behind the latest packet

  // Extends the line to `to` by what held up the arrival of burst number `burst`, or, `at_sender`, its leaving. What
  // lies before the descriptor came is the peer's: a semaphore that it could not signal; at the sender, the core's.
  void explain(TimeLine& line, Picoseconds to, std::size_t burst, bool at_sender) const;

 private:
  // When the engine could ask for another burst in its place.
  [[nodiscard]] Picoseconds made_room(const Burst& burst) const { return remote ? burst.left : burst.visible; }
};

}  // namespace podsim::stall
