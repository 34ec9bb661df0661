// Prices a burst's occupancy of the HBM without an event, or a loop over its column accesses. The aggregate of all
// channels is one server at the peak rate less refresh, and what lengthens its service is priced from the rates that a
// channel sustains under the pattern at hand (hbm_rates.h):
//
//   streams      a burst that goes on where an earlier one ended costs what the stream costs.
//   row misses   a burst that begins elsewhere costs what a random chunk of its size costs.
//   turnaround   reads and writes that wait together cost what a copy loses against a stream; more where source and
//                destination lie in the same bank.
//
// All of them depend on the address mapping. The queues are taken to be full: a lone small access pays its latency
// elsewhere. Effects are priced in equivalent bytes, and telescope: a stream costs the same in one burst or in many.
// Free of the SystemC kernel.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "models/memory/hbm_config.h"
#include "models/memory/hbm_rates.h"

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

  // The rate of an endless stream of reads.
  [[nodiscard]] Bandwidth stream_bandwidth() const;
  [[nodiscard]] Statistics statistics() const;
  void reset_statistics();

 private:
  // A stretch of consecutive addresses that bursts have moved so far.
  struct Run {
    Bytes end = ~Bytes{0};
    Bytes moved = 0;
    Bytes charged = 0;  // bytes' worth of time
  };
  static constexpr std::size_t kRuns = 32;

  Run& run_of(Bytes offset);
  [[nodiscard]] Bytes bytes_equivalent(Bytes moved, bool write);
  [[nodiscard]] Bytes turnaround_bytes_equivalent(Bytes offset, Bytes bytes, bool write, bool idle);
  [[nodiscard]] std::uint64_t mixing_q16(Bytes offset, Bytes bytes, bool write);
  [[nodiscard]] std::uint64_t rows_for(Bytes bytes) const;

  std::shared_ptr<HbmRates> rates_;
  SerialisationTime time_for_;

  std::array<Run, kRuns> runs_{};
  std::size_t oldest_ = 0;

  Bytes batch_bytes_ = 0;
  Bytes mixing_window_ = 0;
  Bytes unmixed_[2] = {0, 0};  // read and written recently, and not yet mixed with the other direction
  Bytes latest_[2] = {0, 0};   // where the latest burst of either direction began
  Bytes mixed_ = 0;
  std::uint64_t row_misses_ = 0;
};

}  // namespace podsim::memory
