// A shared resource that moves bytes one after the other: a memory's data bus, one direction of a link. Users reserve
// it ahead of time, in the order of their calls, so that no event is needed to hand it on.
//
// A reservation may lie in the future (data that arrives at a known later time), and a later call may want an earlier
// time. The idle time before a future reservation is therefore remembered and given out, piecewise if need be: without
// that, a copy within one memory would lose the memory's latency at every burst. Only the newest idle gaps are kept;
// forgetting one can make a user later than it need be, never earlier.
//
// A long stream that comes or is taken much slower than the server could serve it (a copy over a link) is served
// alongside the others: it occupies its share of the server while it lasts, and what is served one after the other gets
// the rest. Other streams are served at once: they reserve their bytes' worth of server time, not the time they take.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

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
    Reservation reservation = serve(earliest, streams_.empty() ? occupancy : beside_streams(earliest, occupancy));
    reservation.occupancy = occupancy;
    return reservation;
  }

  // The same for data that comes, or is taken, over `duration`. No later call is for a time before `now`.
  Reservation reserve_stream(Picoseconds now, Picoseconds earliest, Picoseconds occupancy, Picoseconds duration);

  // The same for a stream that is to be followed however short it is.
  Reservation reserve_trickle(Picoseconds now, Picoseconds earliest, Picoseconds occupancy, Picoseconds duration);

  [[nodiscard]] Picoseconds time_for(Bytes bytes) const { return time_for_(bytes); }
  // Nothing is reserved from here on.
  [[nodiscard]] Picoseconds free_at() const { return free_at_; }

 private:
  static constexpr std::size_t kMaxGaps = 24;
  struct Gap {
    Picoseconds start = 0;
    Picoseconds end = 0;
  };

  // A stream's part of the server, while it lasts.
  struct Share {
    Picoseconds start = 0;
    Picoseconds end = 0;
    std::int64_t part = 0;  // of kWhole
  };
  static constexpr std::int64_t kWhole = std::int64_t{1} << 20;
  static constexpr std::int64_t kMostShared = kWhole / 16 * 15;  // something is always left for the others
  static constexpr std::int64_t kMostOfOne = kWhole / 2;         // a stream that takes more is none
  static constexpr Picoseconds kLongStream = 100'000;            // shorter ones are not worth following

  Reservation serve(Picoseconds earliest, Picoseconds time) {
    if (earliest < free_at_) return backfill(earliest, time);
    if (earliest > free_at_) insert_gap(gap_count_, {free_at_, earliest});
    free_at_ = earliest + time;
    return {earliest, free_at_, time};
  }
  Reservation share(Picoseconds earliest, Picoseconds occupancy, Picoseconds duration);
  // What the streams take together at some time between `from` and `to`, at most.
  [[nodiscard]] std::int64_t shared(Picoseconds from, Picoseconds to) const;
  // What an occupancy comes to when the streams of that time have taken their shares.
  [[nodiscard]] Picoseconds beside_streams(Picoseconds time, Picoseconds occupancy) const;

  // Serves in the idle gaps after `earliest`, and behind everything what doesn't fit in them.
  Reservation backfill(Picoseconds earliest, Picoseconds occupancy);
  void insert_gap(std::size_t place, Gap gap);
  void erase_gap(std::size_t place);

  SerialisationTime time_for_;
  Picoseconds free_at_ = 0;
  std::array<Gap, kMaxGaps> gaps_{};  // in order of time, none empty
  std::size_t gap_count_ = 0;
  std::vector<Share> streams_;
};

}  // namespace podsim::memory
