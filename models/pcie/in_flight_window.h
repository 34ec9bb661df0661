// A limit on what may be in flight: at most `window` bytes within one round trip, given back as they arrive. PCIe has
// two of them: posted credits bound writes, read tags bound reads (bandwidth <= outstanding reads x MRRS / round trip).
//
// Free of the SystemC kernel.
#pragma once

#include <algorithm>

#include "models/kernel/units.h"
#include "models/memory/bandwidth_server.h"

namespace podsim::pcie {

class InFlightWindow {
 public:
  // `window` and `round_trip` positive.
  InFlightWindow(Bytes window, Picoseconds round_trip)
      : window_(window),
        return_rate_(Bandwidth{static_cast<std::uint64_t>(Wide{window} * kPicosecondsPerSecond /
                                                          static_cast<std::uint64_t>(round_trip))}) {}

  // Admits a stream of `bytes`; returns when its first byte may go. Streams are spaced at the rate at which the window
  // is given back, evenly: that the first window's worth could go at once is not modelled across streams.
  Picoseconds admit(Picoseconds earliest, Bytes bytes) { return return_rate_.reserve(earliest, bytes).start; }

  // Bytes that may go at once, and when the last such portion of a stream admitted at `start` may go.
  [[nodiscard]] Bytes last_portion(Bytes bytes) const { return std::min(bytes, window_); }
  [[nodiscard]] Picoseconds last_portion_at(Picoseconds start, Bytes bytes) const {
    return start + return_rate_.time_for(bytes - last_portion(bytes));
  }

 private:
  Bytes window_;
  memory::BandwidthServer return_rate_;
};

}  // namespace podsim::pcie
