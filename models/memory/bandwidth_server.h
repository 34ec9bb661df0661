// A shared resource that moves bytes one after the other: a memory's data bus, one direction of a link. Users reserve
// it ahead of time, in the order of their calls, so that no event is needed to hand it on.
//
// A reservation may lie in the future (data that arrives at a known later time), and a later call may want an earlier
// time. The idle time before a future reservation is therefore remembered and given out, piecewise if need be: without
// that, a copy within one memory would lose the memory's latency at every burst. Only the newest idle gaps are kept;
// forgetting one can make a user later than it need be, never earlier.
//
// A stream that arrives slower than the server reserves its bytes' worth of server time, not the whole time it takes.
#pragma once

#include <array>
#include <cstddef>

#include "models/kernel/units.h"

namespace podsim::memory {

// When a reservation's first and last byte are served. finish - start exceeds the occupancy when the service is
// interrupted by reservations made earlier.
struct Reservation {
  Picoseconds start = 0;
  Picoseconds finish = 0;
  Picoseconds occupancy = 0;  // the server's own time
};

class BandwidthServer {
 public:
  explicit BandwidthServer(Bandwidth bandwidth = {}) : time_for_(bandwidth) {}

  // Reserves the time of `bytes` at the server's bandwidth, not before `earliest`.
  Reservation reserve(Picoseconds earliest, Bytes bytes) { return reserve_time(earliest, time_for_(bytes)); }

  // The same for a service whose time has been worked out elsewhere.
  Reservation reserve_time(Picoseconds earliest, Picoseconds occupancy) {
    if (earliest < free_at_) return backfill(earliest, occupancy);
    if (earliest > free_at_) insert_gap(gap_count_, {free_at_, earliest});
    free_at_ = earliest + occupancy;
    return {earliest, free_at_, occupancy};
  }

  [[nodiscard]] Picoseconds time_for(Bytes bytes) const { return time_for_(bytes); }
  // Nothing is reserved from here on.
  [[nodiscard]] Picoseconds free_at() const { return free_at_; }

 private:
  static constexpr std::size_t kMaxGaps = 8;
  struct Gap {
    Picoseconds start = 0;
    Picoseconds end = 0;
  };

  // Serves in the idle gaps after `earliest`, and behind everything what doesn't fit in them.
  Reservation backfill(Picoseconds earliest, Picoseconds occupancy);
  void insert_gap(std::size_t place, Gap gap);
  void erase_gap(std::size_t place);

  SerialisationTime time_for_;
  Picoseconds free_at_ = 0;
  std::array<Gap, kMaxGaps> gaps_{};  // in order of time, none empty
  std::size_t gap_count_ = 0;
};

}  // namespace podsim::memory
