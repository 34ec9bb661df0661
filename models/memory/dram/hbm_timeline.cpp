#include "models/memory/dram/hbm_timeline.h"

#include <algorithm>

namespace podsim::memory {

HbmTimeline::HbmTimeline(const HbmConfig& config)
    : array_(config), time_at_peak_(config.bandwidth), touched_(array_.channels().size()) {
  const DramTiming& t = array_.timing();
  to_column_[0] = t.clock.time(t.activate_to_read);
  to_column_[1] = t.clock.time(t.activate_to_write);
  row_miss_[0] = t.clock.time(t.activate_to_read + t.read_data - t.burst);
  row_miss_[1] = t.clock.time(t.activate_to_write + t.write_data - t.burst);
}

Reservation HbmTimeline::reserve(Bytes offset, Bytes bytes, bool write, Picoseconds now, Picoseconds earliest,
                                 Picoseconds pace) {
  const DramClock& clock = array_.timing().clock;
  if (bytes == 0) return {earliest, earliest, 0};
  play_to(clock.tick(now));
  ++burst_;
  std::fill(touched_.begin(), touched_.end(), std::uint8_t{0});
  const Bytes access = array_.access_bytes();
  const Bytes first = offset / access;
  const Bytes count = (offset + bytes - 1) / access - first + 1;
  for (Bytes i = 0; i < count; ++i) {
    const auto after = static_cast<Picoseconds>(static_cast<Wide>(pace) * i / count);
    touched_[array_.push((first + i) * access, write, clock.tick(earliest + after), burst_)] = 1;
  }

  DramTick taken = kNever;
  DramTick end = 0;
  Bytes left = count;
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    if (touched_[i] == 0) continue;
    ChannelController ahead = array_.channels()[i];
    while (left > 0 && ahead.next_time() != kNever) {
      done_.clear();
      ahead.step(ahead.next_time(), done_);
      for (const DramDone& one : done_) {
        if (one.request != burst_) continue;
        taken = std::min(taken, one.taken);
        end = std::max(end, one.at);
        --left;
      }
      if (!ahead.has(burst_)) break;
    }
  }
  const int direction = write ? 1 : 0;
  const Picoseconds start = std::max(earliest, clock.time(taken) - to_column_[direction]);
  return {start, std::max(start, clock.time(end) - row_miss_[direction]), time_at_peak_(bytes)};
}

void HbmTimeline::play_to(DramTick now) {
  for (ChannelController& channel : array_.channels()) {
    while (channel.next_time() < now) {
      done_.clear();
      channel.step(channel.next_time(), done_);
    }
  }
}

DramStatistics HbmTimeline::statistics() const {
  DramStatistics sum;
  std::vector<DramDone> done;
  for (const ChannelController& channel : array_.channels()) {
    ChannelController ahead = channel;
    while (!ahead.idle()) {
      done.clear();
      ahead.step(ahead.next_time(), done);
    }
    sum += ahead.statistics();
  }
  return sum;
}

}  // namespace podsim::memory
