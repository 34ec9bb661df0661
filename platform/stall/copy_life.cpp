#include "platform/stall/copy_life.h"

namespace podsim::stall {

namespace {

// Pieces that are found from the last to the first.
class Backwards {
 public:
  Backwards(Picoseconds from, Picoseconds to) : from_(from), at_(to) {}

  // Down to `time`, unless that has been passed.
  void down_to(Picoseconds time, Cause cause) {
    const Picoseconds to = std::max(time, from_);
    if (to >= at_) return;
    pieces_.push_back({to, at_, cause});
    at_ = to;
  }
  [[nodiscard]] bool done() const { return at_ <= from_; }
  void append_to(TimeLine& line) const {
    for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) line.add_until(piece->end, piece->cause);
  }

 private:
  const Picoseconds from_;
  Picoseconds at_;
  std::vector<TimeLine::Piece> pieces_;
};

}  // namespace

void CopyLife::explain(TimeLine& line, Picoseconds to, std::size_t burst, bool at_sender) const {
  Backwards walk(line.end(), to);
  bool more = burst < bursts.size();
  std::size_t i = burst;
  if (more) {
    walk.down_to(at_sender ? bursts[i].left : bursts[i].visible, Cause::kCore);  // the descriptor's completion
    if (!at_sender) walk.down_to(bursts[i].arrived, Cause::kHbm);
    if (!at_sender) walk.down_to(bursts[i].left, Cause::kLink);
  }
  while (more && !walk.done()) {
    const Burst& one = bursts[i];
    if (!one.slow_source) {
      walk.down_to(one.on_link, Cause::kLink);
      if (i > 0 && bursts[i - 1].left > one.ready) {  // waited for those before it to leave
        walk.down_to(bursts[i - 1].left, Cause::kLink);
        --i;
        continue;
      }
      walk.down_to(one.ready, Cause::kLink);
    }
    walk.down_to(one.requested, Cause::kHbm);
    // Asked for when this one had made room.
    const Picoseconds requested = one.requested;
    more = false;
    while (i > 0 && !more) more = made_room(bursts[--i]) <= requested;
    if (more) walk.down_to(made_room(bursts[i]), Cause::kDmaSlot);
  }
  // Its turn on the way to that chip; a burst's slot.
  walk.down_to(started, remote ? Cause::kLink : Cause::kDmaSlot);
  walk.down_to(started - issue, Cause::kCore);
  walk.down_to(queued, Cause::kDmaSlot);
  walk.down_to(line.end(), remote && !at_sender ? Cause::kSemaphore : Cause::kCore);
  walk.append_to(line);
}

}  // namespace podsim::stall
