// A chip's HBM in detail, asked as the bulk model is asked: when will this burst have been served? Its column accesses
// join those that wait in the channels, spread over the time in which the burst's data comes or is taken, and the
// channels are played on from now, in a copy, until the burst's last access is through.
//
// The answer is final, so what comes later can't delay it; it delays what comes later. Bandwidth is never given out
// twice: the accesses stay in the channels, which themselves are played on to the present only. Free of the SystemC
// kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "models/memory/bandwidth_server.h"
#include "models/memory/dram/channel_array.h"

namespace podsim::memory {

class HbmTimeline {
 public:
  explicit HbmTimeline(const HbmConfig& config);

  // A burst whose accesses come evenly over `pace` from `earliest` on. No later call has an earlier `now`. The times
  // are those of Memory::reserve(): HbmConfig's latencies, which include a row miss, come on top of them.
  Reservation reserve(Bytes offset, Bytes bytes, bool write, Picoseconds now, Picoseconds earliest, Picoseconds pace);

  // Of all accesses, those included that are still under way.
  [[nodiscard]] DramStatistics statistics() const;

 private:
  void play_to(DramTick now);

  ChannelArray array_;
  SerialisationTime time_at_peak_;
  Picoseconds row_miss_[2];  // to the data of a read or a write, in an idle bank
  Picoseconds to_column_[2];
  std::uint32_t burst_ = 0;
  std::vector<std::uint8_t> touched_;
  std::vector<DramDone> done_;
};

}  // namespace podsim::memory
