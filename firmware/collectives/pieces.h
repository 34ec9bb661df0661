// Elements that belong together but need not lie together: ranges of a buffer, in order. "Packed" they are counted as
// if they lay one behind the other, which is how they travel and how a receiver's slot holds them.
#pragma once

#include <algorithm>
#include <vector>

#include "firmware/device/buffer.h"
#include "firmware/device/tile.h"

namespace podsim::firmware {

class Pieces {
 public:
  Pieces() = default;
  explicit Pieces(Range range) { append(range); }

  // Ranges that touch become one; empty ones vanish.
  void append(Range range) {
    if (range.empty()) return;
    size_ += range.size();
    if (first_.empty()) {
      first_ = range;
    } else if (Range& last = rest_.empty() ? first_ : rest_.back(); last.last == range.first) {
      last.last = range.last;
    } else {
      rest_.push_back(range);
    }
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] Range packed() const { return {0, size_}; }

  // Calls visit(place, packed) for what lies in `window` of the packed elements, piece by piece: where it lies, and
  // where in the window it is.
  template <class Visit>
  void for_each(Range window, Visit&& visit) const {
    std::uint64_t before = 0;
    const auto part = [&](Range range) {
      const Range here{std::max(window.first, before), std::min(window.last, before + range.size())};
      if (here.first < here.last) {
        visit(Range{range.first + here.first - before, range.first + here.last - before},
              Range{here.first - window.first, here.last - window.first});
      }
      before += range.size();
    };
    part(first_);
    for (const Range range : rest_) part(range);
  }

  // The same, taking as many pieces together as one copy can: calls visit(place, packed) with a tile of `buffer`, of
  // pieces of equal length at equal distances, and where in the window it is.
  template <class Visit>
  void for_each_tile(Range window, const Buffer& buffer, Visit&& visit) const {
    Range first, last, together;  // pieces of the tile, and what of the window they are
    std::uint64_t rows = 0;
    const auto finish = [&] {
      if (rows == 0) return;
      const std::uint64_t pitch = rows > 1 ? (last.first - first.first) / (rows - 1) : first.size();
      visit(Tile(buffer.slice(first).address, rows, first.size(), pitch, buffer.type), together);
    };
    for_each(window, [&](Range place, Range packed) {
      const bool fits = rows > 0 && place.size() == first.size() && place.first > last.first &&
                        (rows == 1 || place.first - last.first == (last.first - first.first) / (rows - 1));
      if (!fits) {
        finish();
        first = place;
        together = packed;
        rows = 0;
      }
      last = place;
      together.last = packed.last;
      ++rows;
    });
    finish();
  }

 private:
  std::uint64_t size_ = 0;
  Range first_;  // on its own, because most often it is the only one
  std::vector<Range> rest_;
};

}  // namespace podsim::firmware
