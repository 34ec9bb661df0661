#include "models/memory/bandwidth_server.h"

#include <algorithm>

namespace podsim::memory {

Reservation BandwidthServer::reserve_stream(Picoseconds now, Picoseconds earliest, Picoseconds occupancy,
                                            Picoseconds duration) {
  std::erase_if(streams_, [&](const Share& share) { return share.end <= now; });
  if (duration <= occupancy || occupancy < kLongStream) return reserve_time(earliest, occupancy);
  return share(earliest, occupancy, duration);
}

Reservation BandwidthServer::reserve_trickle(Picoseconds now, Picoseconds earliest, Picoseconds occupancy,
                                             Picoseconds duration) {
  std::erase_if(streams_, [&](const Share& share) { return share.end <= now; });
  if (duration <= occupancy || occupancy == 0) return reserve_time(earliest, occupancy);
  return share(earliest, occupancy, duration);
}

Reservation BandwidthServer::share(Picoseconds earliest, Picoseconds occupancy, Picoseconds duration) {
  // Rounded up: shares must not come to more than the server has.
  const auto length = static_cast<Wide>(duration);
  const auto part = static_cast<std::int64_t>((static_cast<Wide>(occupancy) * kWhole + length - 1) / length);
  const Picoseconds end = earliest + duration;
  if (part > kMostOfOne || shared(earliest, end) + part > kMostShared) return reserve_time(earliest, occupancy);
  streams_.push_back({earliest, end, part});
  return {earliest, end, occupancy};
}

std::int64_t BandwidthServer::shared(Picoseconds from, Picoseconds to) const {
  std::int64_t shared = 0;
  for (const Share& share : streams_) {
    if (share.start < to && share.end > from) shared += share.part;
  }
  return shared;
}

Picoseconds BandwidthServer::beside_streams(Picoseconds time, Picoseconds occupancy) const {
  const std::int64_t left = kWhole - shared(time, time + 1);
  return static_cast<Picoseconds>(static_cast<Wide>(occupancy) * kWhole / static_cast<Wide>(left));
}

Reservation BandwidthServer::backfill(Picoseconds earliest, Picoseconds occupancy) {
  if (occupancy == 0) return {earliest, earliest, 0};
  Picoseconds start = -1;
  Picoseconds remaining = occupancy;
  for (std::size_t i = 0; i < gap_count_;) {
    Gap& gap = gaps_[i];
    if (gap.end <= earliest) {
      ++i;
      continue;
    }
    const Picoseconds from = std::max(gap.start, earliest);
    const Picoseconds to = std::min(gap.end, from + remaining);
    if (start < 0) start = from;
    remaining -= to - from;

    const Gap before{gap.start, from};
    const Gap after{to, gap.end};
    if (before.start < before.end) {
      gap = before;
      ++i;
      if (after.start < after.end) insert_gap(i, after);  // only when the service is complete: the loop ends here
    } else if (after.start < after.end) {
      gap = after;
    } else {
      erase_gap(i);
    }
    if (remaining == 0) return {start, to, occupancy};
  }
  if (start < 0) start = free_at_;
  free_at_ += remaining;
  return {start, free_at_, occupancy};
}

void BandwidthServer::insert_gap(std::size_t place, Gap gap) {
  if (gap_count_ == kMaxGaps) {
    if (place == 0) return;  // itself the oldest
    erase_gap(0);
    --place;
  }
  std::move_backward(gaps_.begin() + place, gaps_.begin() + gap_count_, gaps_.begin() + gap_count_ + 1);
  gaps_[place] = gap;
  ++gap_count_;
}

void BandwidthServer::erase_gap(std::size_t place) {
  std::move(gaps_.begin() + place + 1, gaps_.begin() + gap_count_, gaps_.begin() + place);
  --gap_count_;
}

}  // namespace podsim::memory
