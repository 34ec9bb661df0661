// A limit on what may be in flight: the unit number n may go when number n - window has come back. PCIe has two such
// windows: tags bound reads (bandwidth <= outstanding reads x MRRS / round trip), posted credits bound writes.
//
// Whoever sends a stream asks when it may go, and says when it will have come back once it knows. A stream's units come
// back evenly between its first and its last, but no portion of a window's size sooner than a round trip after the one
// before it. Free of the SystemC kernel.
#pragma once

#include <algorithm>
#include <deque>

#include "models/kernel/units.h"

namespace podsim::pcie {

class InFlightWindow {
 public:
  // `window` is positive.
  explicit InFlightWindow(std::uint64_t window) : window_(window) {}

  struct Grant {
    Picoseconds first = 0;  // when the stream's first unit may go
    Picoseconds last = 0;   // when the last unit of its first portion may
    // A stream larger than the window goes in portions, a round trip after each other: so many before the last one.
    std::uint64_t rounds = 0;
    std::uint64_t last_portion = 0;  // units in it
  };

  // When a stream of `amount` units may go, not before `earliest`.
  [[nodiscard]] Grant grant(Picoseconds earliest, std::uint64_t amount) {
    Grant grant{earliest, earliest, 0, amount};
    if (amount == 0) return grant;
    while (!streams_.empty() && streams_.front().end + window_ <= sent_) streams_.pop_front();
    grant.rounds = (amount - 1) / window_;
    grant.last_portion = amount - grant.rounds * window_;
    grant.first = std::max(earliest, comes_back(sent_));
    grant.last = std::max(grant.first, comes_back(sent_ + grant.last_portion - 1));
    return grant;
  }
  // The stream that was granted last comes back between these times, portion by portion.
  void sent(std::uint64_t amount, Picoseconds first, Picoseconds last, Picoseconds round_trip) {
    if (amount == 0) return;
    sent_ += amount;
    streams_.push_back({sent_, amount, first, last, round_trip});
  }

 private:
  struct Stream {
    std::uint64_t end = 0;  // number after its last unit's
    std::uint64_t amount = 0;
    Picoseconds first = 0;
    Picoseconds last = 0;
    Picoseconds round_trip = 0;
  };

  // When the unit comes back that number `unit` waits for.
  [[nodiscard]] Picoseconds comes_back(std::uint64_t unit) const {
    if (unit < window_) return 0;
    const std::uint64_t awaited = unit - window_;
    for (const Stream& stream : streams_) {
      if (awaited >= stream.end) continue;
      const std::uint64_t place = awaited + stream.amount - stream.end + 1;  // counted from 1
      const auto length = static_cast<Wide>(stream.last - stream.first);
      const auto evenly = static_cast<Picoseconds>(length * place / stream.amount);
      const auto portions = static_cast<Picoseconds>((place - 1) / window_) * stream.round_trip;
      return std::min(stream.last, stream.first + std::max(evenly, portions));
    }
    return 0;  // no longer kept, or of the asking stream itself
  }

  const std::uint64_t window_;
  std::uint64_t sent_ = 0;
  std::deque<Stream> streams_;  // that have units which somebody may still wait for
};

}  // namespace podsim::pcie
