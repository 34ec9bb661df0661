// A stretch of time cut into pieces, each with its cause: no gap, no overlap, so whatever is cut out of it adds up.
#pragma once

#include <algorithm>
#include <vector>

#include "platform/stall/cause.h"

namespace podsim::stall {

class TimeLine {
 public:
  struct Piece {
    Picoseconds begin;
    Picoseconds end;
    Cause cause;
  };

  explicit TimeLine(Picoseconds begin = 0) : begin_(begin) {}

  [[nodiscard]] Picoseconds begin() const { return begin_; }
  [[nodiscard]] Picoseconds end() const { return pieces_.empty() ? begin_ : pieces_.back().end; }

  // From the end so far to `end`; nothing if that is not later.
  void add_until(Picoseconds end, Cause cause) {
    const Picoseconds from = this->end();
    if (end <= from) return;
    if (!pieces_.empty() && pieces_.back().cause == cause) {
      pieces_.back().end = end;
    } else {
      pieces_.push_back({from, end, cause});
    }
  }

  // Forgets what lies behind `time`, to be told anew.
  void cut_back_to(Picoseconds time) {
    while (!pieces_.empty() && pieces_.back().begin >= time) pieces_.pop_back();
    if (!pieces_.empty()) pieces_.back().end = std::min(pieces_.back().end, time);
  }

  // Calls visit(piece) for what lies between `from` and `to`, in order.
  template <class Visit>
  void for_each(Picoseconds from, Picoseconds to, Visit&& visit) const {
    auto piece =
        std::partition_point(pieces_.begin(), pieces_.end(), [&](const Piece& each) { return each.end <= from; });
    for (; piece != pieces_.end() && piece->begin < to; ++piece) {
      visit(Piece{std::max(piece->begin, from), std::min(piece->end, to), piece->cause});
    }
  }
  [[nodiscard]] Stalls between(Picoseconds from, Picoseconds to) const {
    Stalls stalls;
    for_each(from, to, [&](const Piece& piece) { stalls[piece.cause] += piece.end - piece.begin; });
    return stalls;
  }

 private:
  Picoseconds begin_;
  std::vector<Piece> pieces_;
};

}  // namespace podsim::stall
