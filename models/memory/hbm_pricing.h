// Prices a burst's occupancy of the HBM without an event, a loop or a division per column access. This is the first
// level of detail: the aggregate of all pseudo-channels is one server, and three effects lengthen its service.
//
//   refresh      all banks stop for tRFC + tRC in every tREFI: rate = peak x (1 - (tRFC + tRC) / tREFI).
//   turnaround   where reads and writes mix, each pair of batches (W reads, W writes on every pseudo-channel) loses
//                (tRTW - BL) + (CWL + tWTR_L) on top of its 2 W BL of data.
//   row misses   a visit to a bank's row takes a pseudo-channel at least
//                max(tRRD_S, tFAW / 4, row commands x pseudo-channels a channel, max(tRC, tRCD + tRTP + tRP) / banks),
//                however few bytes it moves. Bulk streams visit whole rows and never notice; small scattered bursts do.
//
// The formulas are held against public DRAM simulators (tests/reference/hbm_bandwidth.csv). All banks are taken to be
// busy with other bursts (the queues are full): a lone small access pays its latency elsewhere.
//
// Effects are priced in equivalent bytes, and telescope: a stream costs the same in one burst or in many.
// Free of the SystemC kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "models/memory/hbm_config.h"

namespace podsim::memory {

class HbmPricing {
 public:
  struct Statistics {
    std::uint64_t row_misses = 0;   // rows opened
    std::uint64_t turnarounds = 0;  // pairs of them (read to write and back), on all pseudo-channels at once
  };

  // Throws std::invalid_argument, naming the key, when the organisation or the timings make no sense.
  explicit HbmPricing(const HbmConfig& config);

  // Time for which the burst occupies the data path. `idle`: nothing else is waiting at the memory, so the burst mixes
  // with none that came before.
  [[nodiscard]] Picoseconds price(Bytes offset, Bytes bytes, bool write, bool idle);

  // The rate of an endless stream: peak less refresh.
  [[nodiscard]] Bandwidth stream_bandwidth() const { return stream_bandwidth_; }
  [[nodiscard]] Statistics statistics() const;
  void reset_statistics();

 private:
  // Consecutive addresses that fill one row in every pseudo-channel and bank group form a stripe. The rows of a stripe
  // are open together, one stripe for each bank of a group.
  struct OpenStripe {
    Bytes stripe = ~Bytes{0};
    Bytes moved = 0;  // bytes moved since it was opened
  };

  [[nodiscard]] Bytes row_bytes_equivalent(Bytes offset, Bytes bytes);
  [[nodiscard]] Bytes turnaround_bytes_equivalent(Bytes bytes, bool write, bool idle);
  // Rows of a stripe that its first `bytes` bytes lie in.
  [[nodiscard]] Bytes rows_for(Bytes bytes) const;
  [[nodiscard]] Bytes stripe_price(Bytes moved) const;

  Bandwidth stream_bandwidth_;
  SerialisationTime time_for_;

  unsigned stripe_shift_ = 0;
  unsigned interleave_shift_ = 0;
  Bytes rows_per_stripe_ = 0;
  Bytes least_per_row_ = 0;  // bytes' worth of time that a row visit takes at least
  std::vector<OpenStripe> open_;

  std::uint64_t turnaround_q16_ = 0;  // bytes lost for each byte that mixes with one of the other direction
  Bytes batch_bytes_ = 0;
  Bytes mixing_window_ = 0;
  Bytes unmixed_[2] = {0, 0};  // read and written recently, and not yet mixed with the other direction
  Bytes mixed_ = 0;
  std::uint64_t row_misses_ = 0;
};

}  // namespace podsim::memory
