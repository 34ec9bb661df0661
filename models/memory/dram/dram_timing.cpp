#include "models/memory/dram/dram_timing.h"

#include <cmath>

namespace podsim::memory {

DramClock::DramClock(const HbmConfig& c)
    : numerator_(static_cast<Wide>(c.access.bytes) * c.stacks * c.channels_per_stack * c.pseudo_channels_per_channel *
                 kPicosecondsPerSecond),
      denominator_(static_cast<Wide>(c.bandwidth.bytes_per_second) * 4) {}

DramTick DramClock::clocks(Duration span) const {
  const Wide clock = numerator_ * kClock;
  const Wide scaled = static_cast<Wide>(span.ps) * denominator_;
  const Wide slack = clock / 50;
  return scaled <= slack ? 0 : static_cast<DramTick>((scaled - slack + clock - 1) / clock) * kClock;
}

DramTick DramClock::tick(Picoseconds time) const {
  return static_cast<DramTick>((static_cast<Wide>(time) * denominator_ + numerator_ - 1) / numerator_);
}

Picoseconds DramClock::time(DramTick tick) const {
  return static_cast<Picoseconds>(static_cast<Wide>(tick) * numerator_ / denominator_);
}

DramTiming::DramTiming(const HbmConfig& c) : clock(c) {
  const auto clocks = [this](Duration span) { return clock.clocks(span); };
  const auto halves = [](double n) { return static_cast<DramTick>(std::lround(n * kClock)); };
  same_group = c.same_group_clocks * kClock;
  activate_to_read = clocks(c.row_to_column);
  activate_to_write = clocks(c.row_to_column_write);
  activate_to_precharge = clocks(c.row_active);
  activate_to_activate = clocks(c.row_cycle);
  precharge_to_activate = clocks(c.row_precharge);
  read_to_precharge = clocks(c.read_to_precharge);
  const DramTick write_ends = clocks(c.column_write_latency) + burst;
  write_to_precharge = write_ends + clocks(c.write_recovery);
  activate_to_other = clocks(c.activate_to_activate);
  activate_to_same_group = clocks(c.activate_to_activate_same_group);
  four_activates = clocks(c.four_activate_window);
  read_to_write = clocks(c.read_to_write);
  write_to_read = write_ends + clocks(c.write_to_read_other_group);
  write_to_read_same_group = write_ends + clocks(c.write_to_read);
  read_data = clocks(c.column_read_latency) + burst;
  write_data = write_ends;
  activate_command = halves(c.activate_clocks);
  precharge_command = halves(c.precharge_clocks);
  refresh_interval = clocks(c.refresh_interval);
  refresh = clocks(c.refresh_cycle);
  refresh_bank = clocks(c.refresh_cycle_bank);
  refresh_to_activate = clocks(c.refresh_to_activate);
}

}  // namespace podsim::memory
