// How a stretch of data lies in memory: in one piece, or as rows of equal length at equal distances, as a tile of a
// matrix does. Distances count from the data's first byte.
#pragma once

#include <algorithm>

#include "models/kernel/units.h"

namespace podsim::kernel {

struct Rows {
  Bytes row = 0;    // length of a row; 0: all in one piece
  Bytes pitch = 0;  // from the start of a row to that of the next
  Bytes start = 0;  // how far into its row the data begins

  [[nodiscard]] bool strided() const { return row != 0; }

  // Where byte `offset` of the data lies.
  [[nodiscard]] Bytes distance(Bytes offset) const {
    if (!strided()) return offset;
    return (start + offset) / row * pitch + (start + offset) % row - start;
  }
  // How the data from byte `offset` on lies.
  [[nodiscard]] Rows from(Bytes offset) const { return strided() ? Rows{row, pitch, (start + offset) % row} : Rows{}; }

  // Calls visit(distance, bytes) for each contiguous piece of the first `bytes` bytes, in order.
  template <class Visit>
  void for_each(Bytes bytes, Visit&& visit) const {
    if (!strided()) return bytes > 0 ? visit(Bytes{0}, bytes) : void();
    for (Bytes done = 0; done < bytes;) {
      const Bytes piece = std::min(row - (start + done) % row, bytes - done);
      visit(distance(done), piece);
      done += piece;
    }
  }
  // Sum of `value(bytes)` over the contiguous pieces, without visiting each.
  template <class Value>
  [[nodiscard]] Bytes sum(Bytes bytes, Value&& value) const {
    if (!strided()) return value(bytes);
    const Bytes first = std::min(row - start, bytes);
    const Bytes whole = (bytes - first) / row;
    const Bytes last = bytes - first - whole * row;
    return value(first) + (whole > 0 ? whole * value(row) : 0) + (last > 0 ? value(last) : 0);
  }
  [[nodiscard]] Bytes pieces(Bytes bytes) const {
    return !strided() || bytes == 0 ? 1 : (start + bytes - 1) / row - start / row + 1;
  }
};

}  // namespace podsim::kernel
